import type { SessionInjections } from '@claude-mem/worker-protocol';

/** Formats the moment of an injection in its session. */
export function injectionTitle({
  kind,
  promptNumber,
}: Pick<SessionInjections['items'][number], 'kind' | 'promptNumber'>): string {
  if (kind === 'start') return promptNumber === 0 ? 'Start of the session' : `Context, turn ${promptNumber}`;
  return kind === 'prompt' ? `Prompt of turn ${promptNumber}` : `File read, turn ${promptNumber}`;
}
