import { wordsOf } from '@claude-mem/lexical-index/analysis';
import type { ObservationHead } from '@claude-mem/storage';

/** Factor for the score of a record whose replacement was not found. */
const SUPERSEDED_SHARE = 0.5;
/** A distance so small that no other record ranks between a record and its replacement. */
const STEP = 1e-9;
/** Number of words that two titles must share before one can contradict the other. */
const MIN_SHARED_WORDS = 4;

/**
 * Computes score changes that rank the newest evidence first. Of records that replace each other, the newest gets the
 * best score of all, and the others rank directly after it, newest first. A record whose replacement was not found
 * loses score. Records of one project and type that touched the same file and whose titles differ only in numbers are
 * reordered with the newest first, unless the query contains one of the numbers, or the numbers are names.
 * @param ranked scores by id
 * @param heads those that were replaced, replaced another record, or have a number in their title
 */
export function supersede(
  ranked: ReadonlyMap<number, number>,
  heads: readonly ObservationHead[],
  query: string,
): ReadonlyMap<number, number> {
  const scores = new Map(ranked);
  for (const group of contradicting(heads, query)) {
    const best = group.map(({ id }) => scores.get(id) ?? 0).toSorted((a, b) => b - a);
    group.forEach(({ id }, place) => scores.set(id, best[place] ?? 0));
  }
  for (const [newest, ...replaced] of chains(heads)) {
    if (!newest) continue;
    const isLast = newest.supersededBy === null || scores.has(newest.supersededBy);
    const best = Math.max(...[newest, ...replaced].map(({ id }) => scores.get(id) ?? 0));
    const top = isLast ? best : best * SUPERSEDED_SHARE;
    [newest, ...replaced].forEach(({ id }, place) => scores.set(id, top * (1 - place * STEP)));
  }
  return new Map(
    [...ranked].flatMap(([id, score]) => {
      const change = (scores.get(id) ?? score) - score;
      return change === 0 ? [] : [[id, change] as const];
    }),
  );
}

/** Groups of records that replace each other. Each group begins with the record that no other one replaced. */
function chains(observations: readonly ObservationHead[]): ObservationHead[][] {
  const byId = new Map(observations.map((observation) => [observation.id, observation]));
  const groups = new Map<number, ObservationHead[]>();
  for (const observation of observations) {
    const seen = new Set<number>();
    let last = observation;
    for (;;) {
      seen.add(last.id);
      const next = last.supersededBy === null ? undefined : byId.get(last.supersededBy);
      if (!next || seen.has(next.id)) break;
      last = next;
    }
    groups.set(last.id, [...(groups.get(last.id) ?? []), observation]);
  }
  return [...groups.entries()]
    .filter(([, group]) => group.some(({ supersededBy }) => supersededBy !== null))
    .map(([last, group]) =>
      group.toSorted((a, b) => Number(b.id === last) - Number(a.id === last) || newerFirst(a, b)),
    );
}

function contradicting(heads: readonly ObservationHead[], query: string): ObservationHead[][] {
  const asked = new Set(wordsOf(query).filter(hasDigit));
  const together = groupBy(
    heads.filter(({ title }) => hasDigit(title ?? '')),
    ({ projectId, type, file }) => (file === null ? null : JSON.stringify([projectId, type, file])),
  );
  return together
    .filter((group) => group.length > 1)
    .flatMap((group) =>
      groupBy(group.map(readTitle), ({ numbers, others }) =>
        others.length < MIN_SHARED_WORDS || numbers.some((number) => asked.has(number))
          ? null
          : others.toSorted().join(' '),
      ),
    )
    .filter((group) => new Set(group.map(({ numbers }) => numbers.join(' '))).size > 1)
    .map((group) => group.map(({ observation }) => observation).toSorted(newerFirst));
}

function readTitle(observation: ObservationHead) {
  const title = observation.title ?? '';
  const words = wordsOf(title);
  const names = new Set(NAMING.flatMap((one) => Array.from(title.matchAll(one), ([, number]) => number)));
  const isValue = (word: string) =>
    hasDigit(word) && !(/\p{N}+/u.exec(word) ?? []).some((one) => names.has(one));
  return {
    observation,
    numbers: words.filter(isValue),
    others: words.filter((word) => !isValue(word)),
  };
}

/** Numbers that identify things. Titles with different identifiers do not contradict each other. */
const NAMING = [
  /(?:#|\b(?:issue|ticket|bug|task|story|pr|pull request|merge request|commit|rfc|adr|cve|step|phase|part|stage|chapter|section|milestone|sprint|round|iteration|week|day|case|test|question|example|migration|line|page|row|column|status|code) (?:no\.? |number )?#?)(\p{N}+)/giu,
  /\b(?!UTF|SHA|GPT|TLS|AES|RSA|ISO)[A-Z][A-Z0-9]+-(\p{N}+)/gu,
];

/** Items without a key are in no group. */
function groupBy<Item>(items: readonly Item[], keyOf: (item: Item) => string | null): Item[][] {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const key = keyOf(item);
    if (key !== null) groups.set(key, [...(groups.get(key) ?? []), item]);
  }
  return [...groups.values()];
}

const hasDigit = (word: string) => /\p{N}/u.test(word);
const newerFirst = (a: ObservationHead, b: ObservationHead) =>
  b.createdAtEpoch - a.createdAtEpoch || b.id - a.id;
