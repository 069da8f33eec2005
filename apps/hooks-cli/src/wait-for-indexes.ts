import type { IndexState } from '@claude-mem/worker-protocol';
import type { CommandContext } from './command.js';
import { counted } from './counted.js';

const LOOK_MS = 250;
const TELL_MS = 2_000;
/** Of what is missing at first, what comes in from one telling to the next. */
const TELL_SHARE = 0.1;

/**
 * Waits until everything can be found by words, by meaning or by both, and says now and then how far it is. False: it will not come
 * to that by waiting.
 */
export async function waitForIndexes(
  { worker, terminal }: Pick<CommandContext, 'worker' | 'terminal'>,
  part: 'words' | 'vectors' | 'all' = 'all',
): Promise<boolean> {
  let first: number | null = null;
  let told = Infinity;
  let toldAt = Date.now();
  for (;;) {
    const state = await worker.client.indexState();
    if (state.isDone || (part === 'words' && state.words.indexed >= state.words.total)) return true;
    const hindrance = part === 'words' ? null : hindranceOf(state);
    if (hindrance !== null) {
      terminal.complain(`Semantic search is not available yet: ${hindrance}`);
      return false;
    }
    const missing = state.words.total - state.words.indexed + state.vectors.waiting;
    first ??= missing;
    if (missing <= told - first * TELL_SHARE && Date.now() - toldAt >= TELL_MS) {
      terminal.complain(textOfIndexes(state));
      told = missing;
      toldAt = Date.now();
    }
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
}

/** What waiting does not help against. */
function hindranceOf({ vectors }: IndexState): string | null {
  if (vectors.problem !== null) return vectors.problem;
  if (vectors.waiting === 0 || vectors.failed < vectors.waiting) return null;
  return `${vectors.failed} observations could not be embedded and will be retried. See: claude-mem logs --level warn`;
}

export function textOfIndexes({ words, vectors }: IndexState): string {
  const found = `${words.indexed} of ${words.total} records in the inverted index`;
  if (vectors.index === 'none') return `${found}; semantic search is disabled`;
  if (vectors.waiting === 0) return `${found}; no vectors missing`;
  const [wait, their] = vectors.waiting === 1 ? ['waits', 'its vector'] : ['wait', 'their vectors'];
  return `${found}; ${counted(vectors.waiting, 'observation')} ${wait} for ${their}`;
}
