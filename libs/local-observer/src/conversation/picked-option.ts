import { cleanInline } from '../text/read-markdown.js';

/** "2", "b" or "option 3, but smaller": means nothing without the options. */
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

/** The option that a reply picks by its number or letter; null when it picks none. */
export function pickedOption(reply: string, before: string | null | undefined): string | null {
  const label = PICK.exec(reply)?.groups?.['label']?.toLowerCase();
  return label === undefined || !before ? null : (optionsOf(before).get(label) ?? null);
}
