// Generates a memory of several years and queries for it. Words, identifiers and paths follow Zipf's law, sentences
// have realistic lengths, and projects have very different sizes. Equal seeds generate equal memories.
import { toFacts } from '@claude-mem/core';
import { randomFrom } from '../e2e/session-source.mjs';

const FUNCTION_WORDS =
  `the of and to a in is that it for was on with as be by this are from or which when not an at we has have now so its
  after before because than then into only no each per their all if but more one still also what how why where`.split(
    /\s+/,
  );
const COMMON_WORDS =
  `error test file function request worker session cache query token index config user path build value schema handler
  timeout retry queue parser migration database server client response header field route module package version commit
  branch lock buffer stream event message payload limit offset cursor order table column row key hash date time log hook
  plugin setting default option flag command argument output input script docker image deploy release rollback memory
  thread process signal socket port proxy certificate login password permission role account invoice payment currency
  search filter sort page layout button form modal theme icon render component state store action reducer effect`.split(
    /\s+/,
  );
const SYLLABLES =
  `ba be bi bo bu ca ce co cu da de di do du fa fe fi fo ga ge gi go gra ha he hi ho ja je jo ka ke ki ko la le li lo lu
  ma me mi mo mu na ne ni no nu pa pe pi po pra pro ra re ri ro ru sa se si so sta stre ta te ti to tra tu va ve vi vo
  wa we wi xa ya ze zo`.split(/\s+/);
const ENDINGS = ['', '', '', 's', 'ed', 'ing', 'er', 'ation', 'ly', 'able'];
const TYPES = ['bugfix', 'feature', 'refactor', 'decision', 'discovery', 'discovery', 'change', 'change'];
const CONCEPTS = ['how-it-works', 'why-it-exists', 'what-changed', 'problem-solution', 'gotcha', 'pattern'];
const RARE_WORDS = 30_000;
const IDENTIFIERS = 8_000;
const PATHS = 12_000;
const PROJECTS = 12;
const PER_SESSION = 14;
const STEP_MS = 4 * 60_000;

export const NEWEST_EPOCH = Date.UTC(2026, 10, 1);

/** Yields `count` records in the format of a JSONL import, oldest first, with about 0.7 kB of text each. */
export function* syntheticMemory(count, seed = 1) {
  const random = randomFrom(seed);
  const words = createWords(random);
  const sessions = Math.ceil(count / PER_SESSION);
  for (let session = 0, index = 0; session < sessions; session += 1) {
    const project = `/repos/project-${zipf(random, PROJECTS, 0)}`;
    const paths = Array.from({ length: 6 }, () => words.path());
    const pickPath = () => paths[Math.floor(random() * paths.length)];
    for (let turn = 0; turn < PER_SESSION && index < count; turn += 1, index += 1) {
      const [file, other] = [pickPath(), pickPath()];
      const identifier = words.identifier();
      yield {
        uid: `synthetic-${index}`,
        project,
        session: `synthetic-session-${session}`,
        promptNumber: 1 + Math.floor(turn / 3),
        createdAtEpoch: NEWEST_EPOCH - (count - index) * STEP_MS,
        type: TYPES[Math.floor(random() * TYPES.length)],
        title: `${words.sentence(5, 9)} in ${file.slice(file.lastIndexOf('/') + 1)}`,
        subtitle: words.sentence(7, 12),
        narrative: [
          words.sentence(10, 24),
          words.sentence(8, 26),
          `${identifier} ${words.sentence(8, 20)}`,
        ].join(' '),
        facts: toFacts(
          [words.sentence(6, 12), `${identifier} in ${file} ${words.sentence(3, 8)}`, words.sentence(5, 12)],
          'evidence',
        ),
        concepts: [CONCEPTS[Math.floor(random() * CONCEPTS.length)]],
        filesRead: [file, other],
        filesModified: random() < 0.5 ? [file] : [],
      };
    }
  }
}

/**
 * Yields `count` queries for a memory of `size`: { text, isPrefix, filter }. Queries are words of one record, one
 * word, common words, identifiers, file names, and questions. Half of them have filters.
 */
export function* syntheticQueries(count, size, seed = 2) {
  const random = randomFrom(seed);
  // The queries use the same vocabulary as the memory.
  const words = createWords(randomFrom(1));
  const one = (list) => list[Math.floor(random() * list.length)];
  const several = (least, most, make) =>
    Array.from({ length: least + Math.floor(random() * (most - least + 1)) }, make).join(' ');
  const content = () => (random() < 0.55 ? words.contentBy(random) : words.rareBy(random));
  const kinds = [
    [0.34, () => several(2, 8, content)],
    [0.12, content],
    [0.14, () => several(2, 6, () => one(COMMON_WORDS))],
    [0.14, () => `${words.identifierBy(random)} ${several(0, 2, content)}`.trim()],
    [0.1, () => `${words.pathBy(random).split('/').at(-1)} ${several(0, 2, content)}`.trim()],
    [0.08, () => several(1, 3, content).slice(0, -2), 'prefix'],
    [0.08, () => `how does the ${content()} ${content()} of the ${one(COMMON_WORDS)} work and why`],
  ];
  for (let index = 0; index < count; index += 1) {
    let share = random();
    const [, make, mark] = kinds.find(([weight]) => (share -= weight) < 0) ?? kinds[0];
    const text = make();
    yield {
      text,
      isPrefix: mark === 'prefix',
      filter: random() < 0.5 ? filterFrom(random, words, size) : null,
    };
  }
}

function filterFrom(random, words, size) {
  const parts = [
    { project: `/repos/project-${zipf(random, PROJECTS, 0)}` },
    { type: [TYPES[Math.floor(random() * TYPES.length)]] },
    dateFilter(random, size),
    { concepts: [CONCEPTS[Math.floor(random() * CONCEPTS.length)]] },
    { files: [words.pathBy(random).split('/').slice(0, 2).join('/') + '/'] },
  ];
  const first = Math.floor(random() * parts.length);
  return random() < 0.6
    ? parts[first]
    : { ...parts[first], ...parts[(first + 1 + Math.floor(random() * 3)) % parts.length] };
}

function dateFilter(random, size) {
  const dateFrom = NEWEST_EPOCH - Math.floor(random() * size) * STEP_MS;
  return { dateFrom, dateTo: dateFrom + Math.floor((size * STEP_MS) / 4) };
}

function createWords(random) {
  const syllable = () => SYLLABLES[Math.floor(random() * SYLLABLES.length)];
  const made = () =>
    Array.from({ length: 2 + Math.floor(random() * 2.4) }, syllable).join('') +
    ENDINGS[Math.floor(random() * ENDINGS.length)];
  const content = [...COMMON_WORDS, ...Array.from({ length: RARE_WORDS }, made)];
  const capital = (word) => word.charAt(0).toUpperCase() + word.slice(1);
  const anyWord = () => content[zipf(random, 4_000, 20)];
  const identifiers = Array.from({ length: IDENTIFIERS }, () => {
    const [first, ...rest] = Array.from({ length: 2 + Math.floor(random() * 2) }, anyWord);
    return random() < 0.7 ? [first, ...rest.map(capital)].join('') : [first, ...rest].join('_');
  });
  const paths = Array.from(
    { length: PATHS },
    () =>
      `${COMMON_WORDS[zipf(random, 20, 1)]}/${COMMON_WORDS[zipf(random, 60, 3)]}/${anyWord()}-${anyWord()}.ts`,
  );
  const contentBy = (from) => content[zipf(from, content.length, 40)];
  const identifierBy = (from) => identifiers[zipf(from, identifiers.length, 60)];
  const pathBy = (from) => paths[zipf(from, paths.length, 60)];
  const word = () => {
    const kind = random();
    if (kind < 0.38) return FUNCTION_WORDS[zipf(random, FUNCTION_WORDS.length, 1)];
    if (kind < 0.42) return identifierBy(random);
    if (kind < 0.43) return String(Math.floor(random() * 10_000));
    return contentBy(random);
  };
  return {
    contentBy,
    identifierBy,
    pathBy,
    rareBy: (from) => content[Math.floor(from() * content.length)],
    identifier: () => identifierBy(random),
    path: () => pathBy(random),
    sentence: (least, most) =>
      `${capital(Array.from({ length: least + Math.floor(random() * (most - least + 1)) }, word).join(' '))}.`,
  };
}

/**
 * Returns a random index from 0 with a probability proportional to 1 / (index + 1 + shift), by inverse transform
 * sampling.
 */
function zipf(random, places, shift) {
  const low = Math.log(1 + shift);
  const high = Math.log(places + 1 + shift);
  return Math.min(places - 1, Math.floor(Math.exp(low + random() * (high - low)) - 1 - shift));
}
