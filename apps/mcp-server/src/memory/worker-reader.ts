import { withoutUndefined } from '@claude-mem/core';
import type { WorkerClient } from '@claude-mem/worker-protocol';
import { nearestOnly } from './nearest-only.js';
import { toPastRecord } from './to-past-record.js';
import type { MemoryReader } from './memory-reader.js';

/** Reads through the worker. Rejects with WorkerClientError. */
export function createWorkerReader(client: WorkerClient, timeZone: () => string): MemoryReader {
  return {
    async search(question) {
      const { type, concepts, files, host, ...rest } = question;
      const { items, strategy, degraded, nextCursor } = await client.search({
        query: withoutUndefined({
          ...rest,
          type: list(type),
          concepts: list(concepts),
          files: list(files),
          host: list(host),
        }),
      });
      return {
        records: items.map(toPastRecord),
        notes: [...nearestOnly({ items, strategy }, question), ...degraded.map(({ reason }) => reason)],
        nextOffset: nextCursor === null ? null : Number(nextCursor),
      };
    },
    async timeline({ anchor, ...rest }) {
      const asked = typeof anchor === 'string' ? { anchor } : anchor;
      const { items, anchorIndex, degraded } = await client.timeline({
        query: withoutUndefined({ ...rest, ...asked }),
      });
      return { records: items, anchorIndex, notes: degraded.map(({ reason }) => reason) };
    },
    async observations(ids) {
      const { items } = await client.listObservations({ query: { ids: ids.join(','), limit: ids.length } });
      const found = new Map(items.map((item) => [item.id, item]));
      return ids.flatMap((id) => found.get(id) ?? []);
    },
    async lastSummarizedSession(project) {
      const { items } = await client.feed({
        query: withoutUndefined({ kind: 'summary' as const, project, limit: 1 }),
      });
      return items[0]?.item.sessionId ?? null;
    },
    async projects() {
      return (await client.listProjects()).items;
    },
    async context({ key }) {
      const { text } = await client.previewContext({
        query: { cwd: key, reader: 'mcp', timeZone: timeZone() },
      });
      return { text, notes: [] };
    },
  };
}

const list = <Word extends string>(words: readonly Word[] | undefined) =>
  words === undefined ? undefined : [...words];
