import { findUsed, type Injection, type Observation, type Session, type Store } from '@claude-mem/core';
import { injectedTextOf } from '@claude-mem/context-render';
import type { SessionInjections } from '@claude-mem/worker-protocol';
import { namesIn } from './names-in.js';
import { usedInTurn } from './used-in-turn.js';

const MOST_RECORDS = 500;

/** Lists what was injected into a session, and which named files and identifiers its later records prove as used. */
export async function describeInjections(store: Store, { id }: Session): Promise<SessionInjections> {
  const injections = await store.listInjections(id);
  const ofSession = { sessionId: id, limit: MOST_RECORDS };
  const { items: observations } = await store.listObservations(ofSession);
  const { items: summaries } = await store.listSummaries(ofSession);
  const ids = [...new Set(injections.flatMap(({ observationIds }) => observationIds))];
  const records = new Map((await store.observationsByIds(ids)).map((record) => [record.id, record]));

  const usedOf = (record: Observation, { kind, promptNumber }: Injection): string[] | null => {
    // the history of a file follows a read of that file, so the record of the turn always contains its name
    if (kind === 'file') return null;
    const isLater = (one: { promptNumber: number }) => one.promptNumber >= promptNumber;
    const used = usedInTurn(observations.filter(isLater), summaries.filter(isLater));
    const text = injectedTextOf(record, { isIndex: kind === 'start' });
    return used && findUsed(namesIn(text, [record]), used);
  };

  return {
    items: injections.map((injection) => {
      const { observationIds, ...rest } = injection;
      const found = observationIds.flatMap((one) => records.get(one) ?? []);
      return {
        ...rest,
        forgotten: observationIds.length - found.length,
        records: found.map((record) => ({
          id: record.id,
          title: record.title,
          type: record.type,
          used: usedOf(record, injection),
        })),
      };
    }),
  };
}
