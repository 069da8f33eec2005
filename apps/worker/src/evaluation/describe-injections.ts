import {
  findUsed,
  type Names,
  type Observation,
  type Session,
  type Store,
  type Summary,
} from '@claude-mem/core';
import { formatInjectedText } from '@claude-mem/context-render';
import type { SessionInjections } from '@claude-mem/worker-protocol';
import { namesIn } from './names-in.js';
import { readAllPages } from './read-all-pages.js';
import { usedInTurn } from './used-in-turn.js';

/** Lists what was injected into a session, and which named files and identifiers its later records prove as used. */
export async function describeInjections(store: Store, { id }: Session): Promise<SessionInjections> {
  const injections = await store.listInjections(id);
  const observations = await readAllPages((page) => store.listObservations({ sessionId: id, ...page }));
  const summaries = await readAllPages((page) => store.listSummaries({ sessionId: id, ...page }));
  const ids = [...new Set(injections.flatMap(({ observationIds }) => observationIds))];
  const records = new Map((await store.observationsByIds(ids)).map((record) => [record.id, record]));

  const turns = usedByTurn(observations, summaries);
  return {
    items: injections.map((injection) => {
      const { observationIds, ...rest } = injection;
      const { kind, promptNumber } = injection;
      const found = observationIds.flatMap((one) => records.get(one) ?? []);
      // The history of a file follows a read of that file, so the record of the turn always contains its name.
      const used = kind === 'file' ? null : usedSince(promptNumber, turns);
      return {
        ...rest,
        forgotten: observationIds.length - found.length,
        records: found.map((record) => {
          const text = formatInjectedText(record, { isIndex: kind === 'start' });
          return {
            id: record.id,
            title: record.title,
            type: record.type,
            used: used && findUsed(namesIn(text, [record]), used),
          };
        }),
      };
    }),
  };
}

type UsedInTurn = Names & { promptNumber: number };

function usedByTurn(observations: readonly Observation[], summaries: readonly Summary[]): UsedInTurn[] {
  const turns = new Set([...observations, ...summaries].map(({ promptNumber }) => promptNumber));
  return [...turns].flatMap((promptNumber) => {
    const isOfTurn = (one: { promptNumber: number }) => one.promptNumber === promptNumber;
    const used = usedInTurn(observations.filter(isOfTurn), summaries.filter(isOfTurn));
    return used === null ? [] : [{ promptNumber, ...used }];
  });
}

/** Null when nothing is known of the turn and of later turns. */
function usedSince(promptNumber: number, turns: readonly UsedInTurn[]): Names | null {
  const later = turns.filter((turn) => turn.promptNumber >= promptNumber);
  if (later.length === 0) return null;
  return {
    files: [...new Set(later.flatMap(({ files }) => files))],
    identifiers: [...new Set(later.flatMap(({ identifiers }) => identifiers))],
  };
}
