import { readFileSync } from 'node:fs';
import type { Socket } from 'node:net';

const TABLES = ['/proc/net/tcp', '/proc/net/tcp6'] as const;
const ESTABLISHED = '01';

export type Ends = Pick<Socket, 'localPort' | 'remotePort' | 'remoteAddress'>;

/**
 * The user whose process holds the other end of a connection from this machine. Null where the system does not say, which
 * only Linux does.
 * @param read the text of a file, or null when there is none
 */
export function userAtOtherEnd(
  ends: Ends,
  read: (file: string) => string | null = readIfThere,
): number | null {
  const own = placesOf(ends);
  const toUs = portOf(ends.localPort);
  for (const file of TABLES)
    for (const line of (read(file) ?? '').split('\n')) {
      const [, local = '', remote = '', state, , , , user = ''] = line.trim().split(/\s+/);
      if (state === ESTABLISHED && own.includes(local) && remote.endsWith(toUs)) return Number(user);
    }
  return null;
}

/** How the other end is written there, whichever family its socket is of. */
function placesOf({ remoteAddress = '', remotePort }: Ends): readonly string[] {
  const port = portOf(remotePort);
  if (remoteAddress === '::1') return [`${'0'.repeat(24)}01000000${port}`];
  const parts = remoteAddress.replace(/^::ffff:/i, '').split('.');
  const address = parts.toReversed().map((part) => hex(Number(part), 2));
  return [`${address.join('')}${port}`, `0000000000000000FFFF0000${address.join('')}${port}`];
}

const portOf = (port = 0) => `:${hex(port, 4)}`;
const hex = (value: number, digits: number) => value.toString(16).toUpperCase().padStart(digits, '0');

function readIfThere(file: string): string | null {
  try {
    return readFileSync(file, 'latin1');
  } catch {
    return null;
  }
}
