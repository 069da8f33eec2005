import { createHash } from 'node:crypto';
import type { ChromaClient, Collection } from 'chromadb';
import { SearchError } from '../search-error.js';
import { classifyChromaError } from './classify-error.js';

/** The collection with the vectors of a model, which have one size. */
interface CurrentCollection {
  dimensions: number;
  collection: Collection;
}

/**
 * Finds and creates collections. The metadata of a collection without vectors names the current collection, so that a
 * change to vectors of another size is atomic for readers.
 */
export interface Collections {
  /** Null when nothing is stored for this model yet. */
  current(): Promise<CurrentCollection | null>;
  /** Creates an empty collection, makes it the current one, and deletes the earlier ones. */
  begin(dimensions: number): Promise<CurrentCollection>;
  clear(): Promise<void>;
  /** Clears the cached state of the server. */
  forget(): void;
}

export function createCollections(connect: () => Promise<ChromaClient>, model: string): Collections {
  const base = collectionNameOf(model);
  let known: CurrentCollection | null = null;

  const find = async (name: string): Promise<Collection | null> => {
    try {
      return await (await connect()).getCollection({ name });
    } catch (error) {
      if (classifyChromaError(error) === 'missing') return null;
      throw error;
    }
  };
  const remove = async (name: string): Promise<void> => {
    try {
      await (await connect()).deleteCollection({ name });
    } catch (error) {
      if (classifyChromaError(error) !== 'missing') throw error;
    }
  };
  const readCurrent = async (): Promise<CurrentCollection | null> => {
    const { collection: name, dimensions } = (await find(base))?.metadata ?? {};
    if (typeof name !== 'string' || typeof dimensions !== 'number') return null;
    const collection = await find(name);
    return collection === null ? null : { collection, dimensions };
  };

  return {
    async current() {
      known ??= await readCurrent();
      return known;
    },
    async begin(dimensions) {
      const client = await connect();
      const previous = (await find(base))?.metadata?.['collection'];
      const collection = await createUnused(client, find, `${base}-${dimensions}`);
      const metadata = { collection: collection.name, dimensions };
      const marker = await client.getOrCreateCollection({ name: base, metadata, embeddingFunction: null });
      await marker.modify({ metadata });
      known = { collection, dimensions };
      if (typeof previous === 'string' && previous !== collection.name) await remove(previous);
      return known;
    },
    async clear() {
      known = null;
      const name = (await find(base))?.metadata?.['collection'];
      await remove(base);
      if (typeof name === 'string') await remove(name);
    },
    forget() {
      known = null;
    },
  };
}

/** Two models never share a collection, whatever their names are. */
export function collectionNameOf(model: string): string {
  const readable = model
    .normalize('NFKD')
    .replace(/[^a-zA-Z0-9._-]+/g, '-')
    .slice(0, 60);
  const digest = createHash('sha256').update(model).digest('hex').slice(0, 10);
  return `claude-mem-${readable}-${digest}`;
}

/** A collection with this name may contain vectors of another size, which no request shows. */
async function createUnused(
  client: ChromaClient,
  find: (name: string) => Promise<Collection | null>,
  name: string,
): Promise<Collection> {
  for (let number = 1; number <= MOST_NAMES; number += 1) {
    const candidate = number === 1 ? name : `${name}-${number}`;
    if ((await find(candidate)) !== null) continue;
    return client.createCollection({
      name: candidate,
      embeddingFunction: null,
      configuration: { hnsw: { space: 'cosine', ef_construction: 200, ef_search: 200 } },
    });
  }
  throw new SearchError(
    'search/vector-index-unavailable',
    `Chroma has no name left for a collection ${name}`,
  );
}

const MOST_NAMES = 50;
