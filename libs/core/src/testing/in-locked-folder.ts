import { chmodSync, chownSync, readdirSync } from 'node:fs';
import path from 'node:path';

/** The user `nobody`, because root can write everywhere. */
const UNPRIVILEGED_USER = 65_534;

/** Runs a function while nothing can be written in the folder, even as root. Not available on Windows. */
export async function inLockedFolder<Value>(
  folder: string,
  work: () => Value | Promise<Value>,
): Promise<Value> {
  const isSuperuser = process.geteuid?.() === 0;
  const entries = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  if (isSuperuser)
    for (const entry of ['', ...entries])
      chownSync(path.join(folder, entry), UNPRIVILEGED_USER, UNPRIVILEGED_USER);
  chmodSync(folder, 0o500);
  if (isSuperuser) process.seteuid?.(UNPRIVILEGED_USER);
  try {
    return await work();
  } finally {
    if (isSuperuser) process.seteuid?.(0);
    chmodSync(folder, 0o700);
  }
}
