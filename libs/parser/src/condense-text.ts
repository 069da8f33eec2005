import { toStorableText } from '@claude-mem/core';

/** Shortens a text: paths in the project become relative, and long runs of spaces and ruler characters are reduced. */
export function condenseText(text: string, projectRoot: string | null): string {
  const short = hideEncoded(toStorableText(text));
  const relativeText =
    projectRoot !== null && projectRoot.length > 3
      ? short.replaceAll(`${projectRoot}/`, '').replaceAll(projectRoot, '.')
      : short;
  return relativeText
    .replace(/[^\S\n]+/g, ' ')
    .replace(/\s*\n\s*/g, '\n')
    .replace(/([-=_*#~+.·─━═])\1{5,}/g, '$1$1$1')
    .trim();
}

/**
 * Replaces long encoded data with its type and size. Call this function before truncating, because a part of encoded
 * data is not recognized.
 */
export const hideEncoded = (text: string) =>
  text.length < MIN_ENCODED_LENGTH
    ? text
    : text.replace(ENCODED, (data: string, type: string | undefined) =>
        /[a-z]/.test(data) && /[A-Z]/.test(data) && /\d/.test(data)
          ? `[${type?.replace('/', ' ') ?? 'encoded data'}, ${Math.round((data.length * 3) / 4_000)} kB]`
          : data,
      );

const MIN_ENCODED_LENGTH = 300;
const ENCODED =
  /(?<![A-Za-z0-9+/_-])(?:data:([\w.+-]{1,40}\/[\w.+-]{1,40})?[^,\s]{0,80};base64,)?[A-Za-z0-9+/_-]{300,}={0,2}/g;
