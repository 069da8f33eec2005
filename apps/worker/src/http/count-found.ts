import { HOST_NAMES, type Observation } from '@claude-mem/core';
import { FEED_KINDS, type Facets, type FoundItem } from '@claude-mem/worker-protocol';

const MOST_LABELS = 30;

/** Counts the results per value, most frequent first. */
export function countFound(found: readonly FoundItem[], projectIds: ReadonlyMap<string, number>): Facets {
  const observations = found.flatMap(({ kind, item, project }) =>
    kind === 'observation' ? [{ item, project }] : [],
  );
  const files = counted(
    observations.flatMap(({ item, project }) => filesOf(item).map((file) => `${project}\0${file}`)),
  );
  const kinds = counted(found.map(({ kind }) => kind));
  const hosts = counted(found.map(({ host }) => host));
  return {
    total: found.length,
    projects: counted(found.map(({ project }) => project)).flatMap(({ value, count }) => {
      const id = projectIds.get(value);
      return id === undefined ? [] : [{ id, name: value, count }];
    }),
    hosts: hosts.flatMap(({ value, count }) => {
      const host = HOST_NAMES.find((one) => one === value);
      return host === undefined ? [] : [{ value: host, count }];
    }),
    kinds: FEED_KINDS.flatMap((kind) => {
      const count = kinds.find(({ value }) => value === kind)?.count;
      return count === undefined ? [] : [{ value: kind, count }];
    }),
    types: counted(observations.map(({ item }) => item.type)),
    concepts: counted(observations.flatMap(({ item }) => [...new Set(item.concepts)])).slice(0, MOST_LABELS),
    files: files.slice(0, MOST_LABELS).map(({ value, count }) => {
      const [project = '', file = ''] = value.split('\0');
      return { value: file, count, project };
    }),
  };
}

function filesOf({ filesModified, filesRead }: Observation): readonly string[] {
  return [...new Set([...filesModified, ...filesRead])];
}

function counted(values: readonly string[]): { value: string; count: number }[] {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts]
    .map(([value, count]) => ({ value, count }))
    .sort((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1));
}
