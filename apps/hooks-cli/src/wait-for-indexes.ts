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
    if (state.vectors.problem !== null) {
      terminal.complain(`Not by meaning yet: ${state.vectors.problem}`);
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

export function textOfIndexes({ words, vectors }: IndexState): string {
  const found = `${words.indexed} of ${words.total} records found by words`;
  if (vectors.index === 'none') return `${found}; search by meaning is off`;
  return `${found}; ${vectors.waiting} observations wait for their vectors`;
}
