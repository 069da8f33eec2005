import type { IndexState } from '@claude-mem/worker-protocol';
import type { CommandContext } from './command.js';
import { formatCount } from './format-count.js';

const POLL_MS = 250;
const REPORT_MS = 2_000;
/** Share of the initially missing entries that must be indexed between two progress messages. */
const REPORT_SHARE = 0.1;

/**
 * Waits until the requested indexes are complete and prints the progress. Resolves with false when the vectors cannot be
 * completed by waiting.
 */
export async function waitForIndexes(
  { worker, terminal }: Pick<CommandContext, 'worker' | 'terminal'>,
  part: 'words' | 'vectors' | 'all' = 'all',
): Promise<boolean> {
  let first: number | null = null;
  let reported = Infinity;
  let reportedAt = Date.now();
  for (;;) {
    const state = await worker.client.indexState();
    if (state.isDone || (part === 'words' && state.words.indexed >= state.words.total)) return true;
    const problem = part === 'words' ? null : findVectorProblem(state);
    if (problem !== null) {
      terminal.warn(`Semantic search is not available yet: ${problem}`);
      return false;
    }
    const missing = state.words.total - state.words.indexed + state.vectors.waiting;
    first ??= missing;
    if (missing <= reported - first * REPORT_SHARE && Date.now() - reportedAt >= REPORT_MS) {
      terminal.warn(formatIndexState(state));
      reported = missing;
      reportedAt = Date.now();
    }
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

/** Returns the problem that prevents the vectors from being completed, or null. */
function findVectorProblem({ vectors }: IndexState): string | null {
  if (vectors.problem !== null) return vectors.problem;
  if (vectors.waiting === 0 || vectors.failed < vectors.waiting) return null;
  return `${vectors.failed} observations could not be embedded and will be retried. See: claude-mem logs --level warn`;
}

export function formatIndexState({ words, vectors }: IndexState): string {
  const found = `${words.indexed} of ${words.total} records in the inverted index`;
  if (vectors.index === 'none') return `${found}; semantic search is disabled`;
  if (vectors.waiting === 0) return `${found}; no vectors missing`;
  const [wait, their] = vectors.waiting === 1 ? ['waits', 'its vector'] : ['wait', 'their vectors'];
  return `${found}; ${formatCount(vectors.waiting, 'observation')} ${wait} for ${their}`;
}
