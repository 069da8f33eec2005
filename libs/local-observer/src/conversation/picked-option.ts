import { cleanInline } from '../text/read-markdown.js';

const ORDINALS = [
  'first|erste[nrs]?|premi(?:er|ère)|primer[oa]?|primeir[oa]|перв\\p{L}{2}',
  'second|zweite[nrs]?|deuxième|segund[oa]|втор\\p{L}{2}',
  'third|dritte[nrs]?|troisième|tercer[oa]?|terceir[oa]|трет\\p{L}{2}',
];
const LABEL = `\\d|[a-d]|${ORDINALS.join('|')}`;
/** Matches "2", "b", "1 and 3", "the second one" and "option 3, but smaller". */
const PICK = new RegExp(
  "^\\W*(?:(?:let's )?(?:go with|take|use) )?(?:the |die |das |le |la |el |o |a (?=\\p{L}{2}))?" +
    `(?:option |choice |variant[e]? |opción |opção |вариант )?(${LABEL})(?![\\p{L}\\p{N}])` +
    `(?:(?:,| and| und| et| y| e| и|\\s*[&+]) ?(${LABEL})(?![\\p{L}\\p{N}]))?`,
  'iu',
);
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

function optionWith(label: string, options: ReadonlyMap<string, string>): string | null {
  const place = ORDINALS.findIndex((words) => new RegExp(`^(?:${words})$`, 'iu').test(label));
  return (place === -1 ? options.get(label.toLowerCase()) : [...options.values()][place]) ?? null;
}

/**
 * The options that a reply picks by number, letter or ordinal; null when it picks none.
 * @param before earlier messages of the agent, newest first. A question about the options can stand between.
 */
export function pickedOption(reply: string, before: readonly (string | null)[]): string | null {
  const labels =
    PICK.exec(reply)
      ?.slice(1)
      .filter((label) => label !== undefined) ?? [];
  for (const message of labels.length === 0 ? [] : before) {
    const options = optionsOf(message ?? '');
    const texts = labels.map((label) => optionWith(label, options));
    if (texts.every((text) => text !== null)) return texts.join('; ');
  }
  return null;
}
