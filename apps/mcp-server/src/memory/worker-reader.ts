import { withoutUndefined } from '@claude-mem/core';
import type { WorkerClient } from '@claude-mem/worker-protocol';
import { createSemanticOnlyNotes } from './create-semantic-only-notes.js';
import { toPastRecord } from './to-past-record.js';
import type { MemoryReader } from './memory-reader.js';

/** Creates a reader that uses the worker. Its methods reject with WorkerClientError. */
export function createWorkerReader(client: WorkerClient, timeZone: () => string): MemoryReader {
  return {
    async search(request) {
      const { type, concepts, files, host, ...rest } = request;
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
        notes: [
          ...createSemanticOnlyNotes({ items, strategy }, request),
          ...degraded.map(({ reason }) => reason),
        ],
        nextOffset: nextCursor === null ? null : Number(nextCursor),
      };
    },
    async timeline({ anchor, ...rest }) {
      const selection = typeof anchor === 'string' ? { anchor } : anchor;
      const { items, anchorIndex, degraded } = await client.timeline({
        query: withoutUndefined({ ...rest, ...selection }),
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
