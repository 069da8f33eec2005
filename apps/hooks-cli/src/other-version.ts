import type { CommandContext } from './command.js';

/** That the worker is of another version than this command, as a sentence; null when it is not or does not say. */
export async function otherVersion({
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
