import { cleanInline } from '../text/read-markdown.js';

/** Matches "2", "b" and "option 3, but smaller". */
const PICK =
  /^\W*(?:(?:let's )?(?:go with|take|use) )?(?:option |choice |variant[e]? |opción |opção |вариант )?(?<label>\d|[a-d])(?![\p{L}\p{N}])/iu;
const OPTION =
  /^[ \t]{0,8}(?:[-*+•] )?[*_]{0,2}(?:option )?\(?(?<label>\d|[a-d])(?:\)|[.:]|[*_]{1,2}[.:]?| [—–-])[*_]{0,2}[ \t]+(?<text>\S.*)$/gimu;

/** The options of a message that lists them, by label in lower case. */
function optionsOf(message: string): Map<string, string> {
  return new Map(
    [...message.matchAll(OPTION)].map(({ groups }) => [
      groups!['label']!.toLowerCase(),
      cleanInline(groups!['text']!),
    ]),
  );
}

/**
 * The option that a reply picks by its number or letter; null when it picks none.
 * @param before earlier messages of the agent, newest first. A question about the options can stand between.
 */
export function pickedOption(reply: string, before: readonly (string | null)[]): string | null {
  const label = PICK.exec(reply)?.groups?.['label']?.toLowerCase();
  if (label === undefined) return null;
  return (
    before.map((message) => optionsOf(message ?? '').get(label) ?? null).find((text) => text !== null) ?? null
  );
}
