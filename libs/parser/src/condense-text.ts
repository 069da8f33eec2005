import { toStorableText } from '@claude-mem/core';

/** The same text in fewer tokens: paths inside the project are relative, runs of space and rulers are short. */
export function condenseText(text: string, projectRoot: string | null): string {
  const short = hideEncoded(toStorableText(text));
  const local =
    projectRoot !== null && projectRoot.length > 3
      ? short.replaceAll(`${projectRoot}/`, '').replaceAll(projectRoot, '.')
      : short;
  return local
    .replace(/[^\S\n]+/g, ' ')
    .replace(/\s*\n\s*/g, '\n')
    .replace(/([-=_*#~+.·─━═])\1{5,}/g, '$1$1$1')
    .trim();
}

/** Long encoded data becomes a word on its type and size. Before any cut: a part of it is not recognised as such. */
export const hideEncoded = (text: string) =>
  text.length < SHORTEST
    ? text
    : text.replace(ENCODED, (data: string, type: string | undefined) =>
        /[a-z]/.test(data) && /[A-Z]/.test(data) && /\d/.test(data)
          ? `[${type?.replace('/', ' ') ?? 'encoded data'}, ${Math.round((data.length * 3) / 4_000)} kB]`
          : data,
      );

const SHORTEST = 300;
const ENCODED =
  /(?<![A-Za-z0-9+/_-])(?:data:([\w.+-]{1,40}\/[\w.+-]{1,40})?[^,\s]{0,80};base64,)?[A-Za-z0-9+/_-]{300,}={0,2}/g;
