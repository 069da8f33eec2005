import type { SearchReply } from '@claude-mem/worker-protocol';
import type { FilterChoice } from '../../filters/FilterChoices.js';

export type FacetName = 'project' | 'host' | 'type' | 'concepts' | 'files';

/** Returns the values of a facet: selected values first, then the most frequent. */
export function facetChoices(
  name: FacetName,
  { facets, chosen }: { facets: SearchReply['facets'] | undefined; chosen: readonly string[] },
): FilterChoice[] {
  const counts = new Map<string, number>();
  for (const { value, count } of facets === undefined ? [] : READERS[name](facets))
    counts.set(value, (counts.get(value) ?? 0) + count);
  return [
    ...chosen.map((value) => ({ value, count: counts.get(value) ?? null, isChosen: true })),
    ...[...counts]
      .filter(([value]) => !chosen.includes(value))
      .sort(([, one], [, other]) => other - one)
      .map(([value, count]) => ({ value, count, isChosen: false })),
  ];
}

type Facets = NonNullable<SearchReply['facets']>;

const READERS: Record<FacetName, (facets: Facets) => readonly { value: string; count: number }[]> = {
  project: ({ projects }) => projects.map(({ name, count }) => ({ value: name, count })),
  host: ({ hosts }) => hosts,
  type: ({ types }) => types,
  concepts: ({ concepts }) => concepts,
  files: ({ files }) => files,
};
