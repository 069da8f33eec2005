import type { Clock, Logger } from '@claude-mem/core';
import type { SearchTables } from '@claude-mem/storage';
import { openFlatIndex } from '../flat/index.js';
import type { Degradation } from '../memory.js';
import type { Embedder } from '../ports/embedder.js';
import type { VectorIndex } from '../ports/vector-index.js';
import { createBreaker } from './breaker.js';
import { createQueryVectors } from './query-vectors.js';
import { NO_MEANING, searchByMeaning, type SemanticAnswer, type SemanticRequest } from './semantic-search.js';

const EMBEDDING_TIMEOUT_MS = 60_000;
const INDEX_TIMEOUT_MS = 30_000;

/**
 * Semantic search over the currently open database. Query vectors and pauses after failures survive a change of the
 * database.
 */
export interface Meaning {
  over(tables: SearchTables): MeaningOver;
  close(): Promise<void>;
}

export interface MeaningOver {
  /** Never rejects. */
  find(request: SemanticRequest): Promise<SemanticAnswer>;
  /** The state for health. */
  state(): Promise<{ index: string; model: string; documents: number; problem: string | null }>;
  close(): Promise<void>;
}

export function createMeaning(options: {
  embedder: Embedder;
  vectors: 'flat' | VectorIndex;
  clock: Clock;
  logger: Logger;
}): Meaning {
  const { embedder, vectors, clock, logger } = options;
  const embedding = createBreaker({ name: 'embedder', clock, logger, timeoutMs: EMBEDDING_TIMEOUT_MS });
  const vectorOf = createQueryVectors(embedder, embedding);
  const breaker = createBreaker({ name: 'vector index', clock, logger, timeoutMs: INDEX_TIMEOUT_MS });

  return {
    over: (tables) => {
      const isFlat = vectors === 'flat';
      const index = isFlat ? openFlatIndex({ tables, model: embedder.model, clock, logger }) : vectors;
      return {
        find: async (request) => {
          const missing = isFlat ? missingVectors(tables, embedder.model) : null;
          if (missing) return { isAnswered: false, hits: [], degraded: [missing] };
          const late = waitingVectors(tables);
          const answer = await searchByMeaning({ embedder, vectorOf, index, breaker }, request);
          return answer === NO_MEANING ? answer : { ...answer, degraded: [...answer.degraded, ...late] };
        },
        state: async () => {
          const isResting = breaker.problem() !== null;
          const documents = isResting ? 0 : await breaker.run(() => index.count()).catch(() => 0);
          const problem = embedding.problem() ?? breaker.problem();
          return { index: index.name, model: embedder.model, documents, problem };
        },
        close: async () => {
          if (isFlat) await index.close();
        },
      };
    },
    close: async () => {
      embedding.close();
      breaker.close();
    },
  };
}

/** Checks for stored vectors before the embedder is loaded. */
function missingVectors(tables: SearchTables, model: string): Degradation | null {
  const models = tables.vectorModels();
  if (models.some((one) => one.model === model)) return null;
  const [other] = models;
  const reason = other
    ? `the stored vectors are of another model (${other.model}, not ${model}); the worker makes them anew`
    : 'no vectors are stored yet';
  return { part: 'vectors', reason };
}

function waitingVectors(tables: SearchTables): Degradation[] {
  const waiting = tables.outboxCount();
  if (waiting === 0) return [];
  const reason = `${waiting} ${waiting === 1 ? 'observation has' : 'observations have'} no vectors yet`;
  return [{ part: 'vectors', reason }];
}
