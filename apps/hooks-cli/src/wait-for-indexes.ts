import type { IndexState } from '@claude-mem/worker-protocol';
import type { CommandContext } from './command.js';

const LOOK_MS = 250;
const TELL_MS = 2_000;

/** Waits until everything can be found by words and by meaning, and says how far it is. False: it will not come to that by waiting. */
export async function waitForIndexes({
  worker,
  terminal,
}: Pick<CommandContext, 'worker' | 'terminal'>): Promise<boolean> {
  let told = '';
  let toldAt = Date.now();
  for (;;) {
    const state = await worker.client.indexState();
    if (state.isDone) return true;
    const hindrance = hindranceOf(state);
    if (hindrance !== null) {
      terminal.complain(`Not by meaning yet: ${hindrance}`);
      return false;
    }
    const text = textOfIndexes(state);
    if (text !== told && Date.now() - toldAt >= TELL_MS) {
      terminal.complain(text);
      told = text;
      toldAt = Date.now();
    }
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
}

/** What waiting does not help against. */
function hindranceOf({ vectors }: IndexState): string | null {
  if (vectors.problem !== null) return vectors.problem;
  if (vectors.waiting === 0 || vectors.failed < vectors.waiting) return null;
  return `${vectors.failed} observations could not be embedded; they are tried again later. See: claude-mem logs --level warn`;
}

export function textOfIndexes({ words, vectors }: IndexState): string {
  const found = `${words.indexed} of ${words.total} records found by words`;
  if (vectors.index === 'none') return `${found}; search by meaning is off`;
  const waiting =
    vectors.waiting === 0 ? 'no vectors missing' : `${vectors.waiting} observations wait for their vectors`;
  return `${found}; ${waiting}`;
}
