import { randomBytes } from 'node:crypto';
import { chmodSync, linkSync, lstatSync, readFileSync, rmSync, writeFileSync } from 'node:fs';

const TOKEN = /^[0-9a-f]{64}$/;

/**
 * Reads or creates the token of the data folder. Two workers that create one at the same time get the same token.
 * @param file mode 0600, 32 random bytes as hex
 */
export function loadWorkerToken(file: string): string {
  const existing = readToken(file);
  if (existing !== null) return existing;
  const temporary = `${file}.${randomBytes(6).toString('hex')}.tmp`;
  writeFileSync(temporary, `${randomBytes(32).toString('hex')}\n`, { mode: 0o600, flag: 'wx' });
  try {
    linkSync(temporary, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    rmSync(temporary, { force: true });
  }
  const token = readToken(file);
  if (token !== null) return token;
  rmSync(file, { force: true });
  return loadWorkerToken(file);
}

function readToken(file: string): string | null {
  const found = lstatSync(file, { throwIfNoEntry: false });
  if (!found?.isFile()) return null;
  if ((found.mode & 0o777) !== 0o600) chmodSync(file, 0o600);
  const token = readFileSync(file, 'utf8').trim();
  return TOKEN.test(token) ? token : null;
}
