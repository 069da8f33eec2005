import type { VectorDocument, VectorIndex } from '../../ports/vector-index.js';

export interface MemoryIndex extends VectorIndex {
  documents: Map<string, VectorDocument>;
  /** Documents written so far, and calls made. */
  written: number;
  calls: number;
  /** Thrown by every call while set. */
  outage: Error | null;
}

/** Keeps documents in a map. `blind` cannot tell what it holds, as an index may. */
export function createMemoryIndex({ blind = false } = {}): MemoryIndex {
  const documents = new Map<string, VectorDocument>();
  const touch = () => {
    index.calls += 1;
    if (index.outage !== null) throw index.outage;
  };
  const removeWhere = (isGone: (document: VectorDocument) => boolean) => {
    for (const document of documents.values()) if (isGone(document)) documents.delete(document.id);
  };
  const index: MemoryIndex = {
    name: 'memory',
    documents,
    written: 0,
    calls: 0,
    outage: null,
    async upsert(added) {
      touch();
      for (const document of added) documents.set(document.id, document);
      index.written += added.length;
    },
    async remove(observationIds) {
      touch();
      removeWhere(({ metadata }) => observationIds.includes(metadata.observationId));
    },
    async nearest() {
      touch();
      return [];
    },
    async count() {
      touch();
      return documents.size;
    },
    async clear() {
      touch();
      documents.clear();
    },
    close: async () => undefined,
    [Symbol.asyncDispose]: async () => undefined,
  };
  if (blind) return index;
  index.hashes = async (observationIds) => {
    touch();
    return [...documents.values()]
      .filter(({ metadata }) => observationIds.includes(metadata.observationId))
      .map(({ id, metadata, contentHash }) => ({ id, observationId: metadata.observationId, contentHash }));
  };
  index.removeDocuments = async (ids) => {
    touch();
    removeWhere(({ id }) => ids.includes(id));
  };
  return index;
}
