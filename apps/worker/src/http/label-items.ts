import type { Observation } from '@claude-mem/core';
import type { Freshness } from '@claude-mem/freshness';

/** Adds the freshness of each observation to a list of records of several kinds. */
export async function labelItems<Item extends { kind: string; item: object }>(
  items: readonly Item[],
  freshness: Pick<Freshness, 'label'>,
): Promise<Item[]> {
  const observations = items.flatMap(({ kind, item }) =>
    kind === 'observation' ? [item as Observation] : [],
  );
  const labelled = new Map((await freshness.label(observations)).map((one) => [one.id, one]));
  return items.map((one) =>
    one.kind === 'observation'
      ? { ...one, item: labelled.get((one.item as Observation).id) ?? one.item }
      : one,
  );
}
