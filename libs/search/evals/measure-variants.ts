import { openMemory } from '../src/open-memory.js';
import type { Embedder } from '../src/ports/embedder.js';
import { createMemoryArm } from './arms.js';
import { createEvalHome } from './eval-home.js';
import type { EvalSet } from './eval-set.js';
import { score } from './metrics.js';
import { VARIANTS, withConstants } from './variants.js';

/** The score of each query of a task with one variant of the constants. */
export interface VariantScores {
  variant: string;
  set: string;
  task: string;
  arm: 'lexical' | 'fused';
  queries: readonly string[];
  /** nDCG@10 of each query, in the order of `queries`. */
  scores: readonly number[];
}

const DEPTH = 10;

export async function* measureVariants(
  set: EvalSet,
  {
    embedder,
    variants,
  }: {
    /** If null, only lexical search is measured. */
    embedder: Embedder | null;
    variants: readonly string[];
  },
): AsyncGenerator<VariantScores[]> {
  using home = await createEvalHome(set, { embedder });
  for (const variant of variants) {
    const found: VariantScores[] = [];
    await withConstants(VARIANTS[variant] ?? {}, async () => {
      for (const arm of embedder ? (['lexical', 'fused'] as const) : (['lexical'] as const)) {
        const vectors = arm === 'fused' && embedder ? { embedder } : { vectors: 'none' as const };
        await using memory = await openMemory({
          dataDir: home.dataDir,
          vectorTimeoutMs: 600_000,
          ...vectors,
        });
        const { rank } = createMemoryArm(memory, () => ({ limit: DEPTH + 1 }));
        for (const task of set.tasks) {
          const scores: number[] = [];
          for (const query of task.queries)
            scores.push(score('nDCG@10', await rank(query, task.unit), query.gold));
          const queries = task.queries.map(({ text }) => text);
          found.push({ variant, set: set.name, task: task.name, arm, queries, scores });
        }
      }
    });
    yield found;
  }
}
