import type { OutboxEntry } from '@claude-mem/core';
import type { Embedder } from '../ports/embedder.js';
import type { VectorDocument, VectorIndex } from '../ports/vector-index.js';
import { SearchError } from '../search-error.js';
import { vectorDocuments, type TextDocument } from './vector-documents.js';

/** Makes the index equal to these observations. Returns the number of embedded texts. Idempotent. */
export async function keepUp(
  { embedder, index }: { embedder: Embedder; index: VectorIndex },
  entries: readonly OutboxEntry[],
  { signal }: { signal?: AbortSignal | undefined },
): Promise<number> {
  // An observation may be queued twice; each entry contains its current state.
  const observations = new Map(entries.map((entry) => [entry.observationId, entry.observation]));
  const ids = [...observations.keys()];
  const deleted = ids.filter((id) => observations.get(id) === null);
  if (deleted.length > 0) await index.remove(deleted);
  const kept = ids.filter((id) => observations.get(id) !== null);
  const wanted = [...observations.values()].flatMap((observation) =>
    observation === null ? [] : vectorDocuments(observation),
  );
  if (kept.length === 0) return 0;
  const stored = (await index.hashes?.(kept)) ?? null;
  const hashes = new Map(stored?.map(({ id, contentHash }) => [id, contentHash]));
  const changed = wanted.filter(({ id, contentHash }) => hashes.get(id) !== contentHash);
  const documents = await embedAll(embedder, changed, signal);
  if (stored === null || index.removeDocuments === undefined) {
    await index.remove(kept);
  } else {
    const current = new Set(wanted.map(({ id }) => id));
    const gone = stored.map(({ id }) => id).filter((id) => !current.has(id));
    if (gone.length > 0) await index.removeDocuments(gone);
  }
  if (documents.length > 0) await index.upsert(documents);
  return documents.length;
}

async function embedAll(
  embedder: Embedder,
  documents: readonly TextDocument[],
  signal: AbortSignal | undefined,
): Promise<readonly VectorDocument[]> {
  const vectors: Float32Array[] = [];
  for (let start = 0; start < documents.length; start += TEXTS_PER_CALL) {
    const texts = documents.slice(start, start + TEXTS_PER_CALL).map(({ text }) => text);
    const some = await embedder.embed(texts, { for: 'document', ...(signal && { signal }) });
    const size = (vectors[0] ?? some[0])?.length ?? 0;
    const isUsable =
      size > 0 && some.every((vector) => vector.length === size && vector.every(Number.isFinite));
    if (some.length !== texts.length || !isUsable) {
      throw new SearchError(
        'search/embedder-unavailable',
        `${embedder.model} gave vectors that cannot be used.`,
      );
    }
    vectors.push(...some);
  }
  return documents.map(({ text: _, ...document }, place) => ({
    ...document,
    vector: vectors[place] as Float32Array,
  }));
}

const TEXTS_PER_CALL = 64;
