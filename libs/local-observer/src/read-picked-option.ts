import { cleanInline } from './text/read-markdown.js';
import { splitSentences } from './text/split-sentences.js';
import { HEDGES } from './conversation/cues.js';
import { isQuestion } from './conversation/dialogue-act.js';

const ORDINALS = [
  'first|erste[nrs]?|premi(?:er|ère)|primer[oa]?|primeir[oa]|перв\\p{L}{2}',
  'second|zweite[nrs]?|deuxième|segund[oa]|втор\\p{L}{2}',
  'third|dritte[nrs]?|troisième|tercer[oa]?|terceir[oa]|трет\\p{L}{2}',
];
const LABEL = `\\d|[a-d]|${ORDINALS.join('|')}`;
const JOINS = '(?:and|und|et|y|e|и)(?!\\p{L})|[,&+]';
const ENDS =
  '$|[^\\p{L}\\p{N}\\s](?![\\p{L}\\p{N}])|(?:but|please|with|then|aber|bitte|mais|pero|mas|но)(?!\\p{L})|' +
  '(?:and|und|et|y|e|и)(?!\\p{L})(?! a half)';
/** Matches "2", "b", "1 and 3", "the second one" and "option 3, but smaller", but not "2 hours" and "A test". */
const PICK = new RegExp(
  "^[^\\p{L}\\p{N}]*(?:(?:let's )?(?:go with|take|use) )?(?:the |die |das |le |la |el |o |a (?=\\p{L}{2}))?" +
    `(?:option |choice |variant[e]? |opción |opção |вариант )?(${LABEL})(?![\\p{L}\\p{N}])` +
    `(?:\\s*(?:${JOINS})\\s+(${LABEL})(?![\\p{L}\\p{N}]))?(?: one| option)?(?=\\s*(?:${ENDS}))`,
  'iu',
);
const OPTION =
  /^[ \t]{0,8}(?:[-*+•] )?[*_]{0,2}(?:option )?\(?(?<label>\d|[a-d])(?:\)|[.:]|[*_]{1,2}[.:]?| [—–-])[*_]{0,2}[ \t]+(?<text>\S.*)$/gimu;

/**
 * Returns the options of a message by label in lower case. The result is empty unless the message has exactly one list
 * of options.
 */
function readOptions(message: string): ReadonlyMap<string, string> {
  const lists: Map<string, string>[] = [];
  let next = '';
  for (const { groups } of message.matchAll(OPTION)) {
    const label = groups!['label']!.toLowerCase();
    if (label === '1' || label === 'a') lists.push(new Map());
    else if (label !== next) continue;
    lists.at(-1)?.set(label, cleanInline(groups!['text']!));
    next = String.fromCharCode(label.charCodeAt(0) + 1);
  }
  const [options, ...others] = lists.filter(({ size }) => size > 1);
  return options === undefined || others.length > 0 ? new Map() : options;
}

const ITEM = /^[ \t]{0,8}[-*+•][ \t]+(?<text>\S.*)$/gmu;
const ALTERNATIVES = /:\s*(?<first>[^:\n]{3,300}?),? (?:or|oder|ou|o|или) (?<second>[^:\n]{3,300})/iu;

/**
 * Returns the alternatives of a message in their order: its options, the items of its lists, or both sides of an "or".
 */
function readAlternatives(message: string): string[] {
  const options = [...readOptions(message).values()];
  if (options.length > 0) return options;
  const items = [...message.matchAll(ITEM)].map(({ groups }) => cleanInline(groups!['text']!));
  if (items.length > 0) return items;
  const { first, second } = ALTERNATIVES.exec(message)?.groups ?? {};
  return first === undefined || second === undefined ? [] : [cleanInline(first), cleanInline(second)];
}

function optionWith(label: string, message: string): string | null {
  const place = ORDINALS.findIndex((words) => new RegExp(`^(?:${words})$`, 'iu').test(label));
  if (place === -1) return readOptions(message).get(label.toLowerCase()) ?? null;
  return readAlternatives(message)[place] ?? null;
}

/** Matches a reply that withdraws the choice of a label. */
const WITHDRAWS = /\b(?:no way|no,? wait|neither|not acceptable|would(?: not|n't)|wrong)\b/i;

/**
 * Returns the options that a reply picks by number, letter or ordinal, or null when it picks none.
 * @param before earlier messages of the agent, newest first. Questions of the user can separate the options from the
 * choice.
 */
export function readPickedOption(reply: string, before: readonly (string | null)[]): string | null {
  const pick = PICK.exec(reply);
  const labels = pick?.slice(1).filter((label) => label !== undefined) ?? [];
  const [rest = ''] = splitSentences(reply.slice(pick?.[0].length ?? 0));
  if (labels.length === 0 || HEDGES.test(rest) || WITHDRAWS.test(rest) || isQuestion(rest)) return null;
  for (const message of before) {
    const texts = labels.map((label) => optionWith(label, message ?? ''));
    if (texts.every((text) => text !== null)) return texts.join('; ');
    // The reply answers the question of the newer message.
    if (/[?？]/.test(message ?? '')) return null;
  }
  return null;
}

const NUMBERED = /^\s*(?<label>\d|[a-d])(?:[.):]|\s*[-–—:])?\s+(?<text>\S.*)$/iu;

/**
 * Returns the answers of a reply that numbers each line like the questions of the agent. The result is empty unless
 * each line is such an answer.
 */
export function readNumberedAnswers(reply: string, before: string): { question: string; text: string }[] {
  const questions = readOptions(before);
  const lines = reply.split('\n').filter((line) => line.trim() !== '');
  const answers = lines.flatMap((line) => {
    const { label, text } = NUMBERED.exec(line)?.groups ?? {};
    const question = questions.get(label?.toLowerCase() ?? '');
    return text === undefined || !/[?？]/.test(question ?? '') ? [] : [{ question: question!, text }];
  });
  return answers.length > 1 && answers.length === lines.length ? answers : [];
}
