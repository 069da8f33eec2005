import { existsSync, readFileSync } from 'node:fs';
import { writeFileAtomically } from '@claude-mem/core/write-file';

/**
 * Lists settings files that hold hooks of `claude-mem install`, one per line. The hook of the plugin reads the list, and
 * does nothing for an event that a listed file reports.
 * @param list path of the list
 * @param change settings files to add or remove
 */
export function listHookSettings(
  list: string,
  { added = [], removed = [] }: { added?: readonly string[]; removed?: readonly string[] },
): void {
  const before = existsSync(list) ? readFileSync(list, 'utf8').split('\n').filter(Boolean) : [];
  const after = [...new Set([...before, ...added])].filter((file) => !removed.includes(file));
  if (after.join() !== before.join()) writeFileAtomically(list, after.map((file) => `${file}\n`).join(''));
}
