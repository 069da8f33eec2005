export const SYNTHETIC_WORDS = 'cache token retry queue parser index socket worker session limit upload render merge schema backup import window memory filter signal'.split(' '); // prettier-ignore
const TYPES = ['bugfix', 'feature', 'refactor', 'decision', 'discovery', 'change'];
const CONCEPTS = ['gotcha', 'pattern', 'how-it-works', 'trade-off'];
const START = Date.UTC(2026, 0, 1);
const MINUTE_MS = 60_000;

/**
 * Creates a record in the import format. Its title contains the word `record<number>`. Equal numbers and seeds create
 * equal records.
 */
export function syntheticRecord({ number, random, project }) {
  const one = (list) => list[Math.floor(random() * list.length)];
  const some = (count) => Array.from({ length: count }, () => one(SYNTHETIC_WORDS));
  return {
    uid: `synthetic-${number}`,
    project,
    session: `synthetic-session-${Math.ceil(number / 20)}`,
    prompt_number: 1 + (number % 5),
    type: one(TYPES),
    title: `record${number}: ${some(4).join(' ')}`,
    subtitle: some(3).join(' '),
    narrative: `The ${some(12).join(' ')} was changed because of the ${some(12).join(' ')}.`,
    facts: [`${some(8).join(' ')}.`, `${some(8).join(' ')}.`],
    concepts: [one(CONCEPTS)],
    files_read: [`src/${one(SYNTHETIC_WORDS)}/${one(SYNTHETIC_WORDS)}.ts`],
    files_modified: [`src/${one(SYNTHETIC_WORDS)}.ts`],
    created_at: new Date(START + number * MINUTE_MS).toISOString(),
  };
}
