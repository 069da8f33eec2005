import type { Observation, OutboxEntry, VectorOutbox } from '@claude-mem/core';

export interface MemoryOutbox extends VectorOutbox {
  /** Stores an observation and queues it; null deletes it. */
  put(id: number, observation: Observation | null): void;
  /** Queues what is stored once more. */
  queue(id: number): void;
}

/** The outbox without a database. The vectors of the flat index are not its business. */
export function createMemoryOutbox(): MemoryOutbox {
  const observations = new Map<number, Observation>();
  interface Row {
    id: number;
    observationId: number;
    attempts: number;
    availableAt: number;
  }
  let rows: Row[] = [];
  let lastId = 0;
  let target = '';
  const queue = (observationId: number) => {
    lastId += 1;
    rows.push({ id: lastId, observationId, attempts: 0, availableAt: 0 });
  };
  const notHere = () => Promise.reject(new Error('not kept here'));

  return {
    put(id, observation) {
      if (observation === null) observations.delete(id);
      else observations.set(id, observation);
      queue(id);
    },
    queue,
    async useTarget(name) {
      if (name !== target) {
        rows = [];
        for (const id of observations.keys()) queue(id);
      }
      target = name;
      return { waiting: rows.length };
    },
    async next({ limit, now }) {
      return rows
        .filter(({ availableAt }) => availableAt <= now)
        .slice(0, limit)
        .map(({ id, observationId, attempts }): OutboxEntry => {
          const observation = observations.get(observationId) ?? null;
          return { id, observationId, observation, attempts };
        });
    },
    async complete(ids) {
      rows = rows.filter(({ id }) => !ids.includes(id));
    },
    async postpone({ ids, availableAt }) {
      rows = rows.map((row) =>
        ids.includes(row.id) ? { ...row, attempts: row.attempts + 1, availableAt } : row,
      );
    },
    async counts() {
      const times = rows.map(({ availableAt }) => availableAt);
      return {
        waiting: rows.length,
        failed: rows.filter(({ attempts }) => attempts > 0).length,
        nextAvailableAt: times.length === 0 ? null : Math.min(...times),
      };
    },
    removeVectors: async () => 0,
    putVectors: notHere,
    vectorHashes: notHere,
  };
}
