import type { CommandContext } from './command.js';

/** Returns a message when the worker has another version than this command, or null. */
export async function findVersionMismatch({
  worker,
  version,
}: Pick<CommandContext, 'worker' | 'version'>): Promise<string | null> {
  const health = await worker
    .within(1_000)
    .health()
    .catch(() => null);
  const other: unknown = health?.version;
  if (typeof other !== 'string' || other === version) return null;
  return `the worker is version ${other.slice(0, 40)}, this command ${version}. Run: claude-mem restart`;
}
