import { readFile } from 'node:fs/promises';
import { isIPv4, type Socket } from 'node:net';
import { endianness, networkInterfaces } from 'node:os';
import { isLoopbackAddress } from '../http/address.js';

const TABLES = ['/proc/net/tcp', '/proc/net/tcp6'] as const;
/** The system has no table, or hides it. Every other error, such as too many open files, is not an answer. */
const NO_TABLE: readonly unknown[] = ['ENOENT', 'ENOTDIR', 'EACCES', 'EPERM'];

export type Ends = Pick<Socket, 'localAddress' | 'localPort' | 'remoteAddress' | 'remotePort'>;

/**
 * The user id of the process at the other end of a connection.
 * - `no-process`: the connection is from this machine, but no open socket of a process matches it.
 * - `unknown`: the connection is from another machine, or the system has no table of connections (only Linux has one).
 */
type PeerUser = number | 'no-process' | 'unknown';

export type FindPeerUser = (ends: Ends) => Promise<PeerUser>;

/**
 * Finds the user at the other end of a connection from this machine, in any TCP state: a peer can close its sending half at
 * will. A socket without inode has no process and therefore no user; Linux shows it with user 0.
 * @param read the text of a table. Reads never overlap: callers that wait share the next one.
 */
export function createFindPeerUser({
  read = (file: string) => readFile(file, 'latin1'),
  isOwnAddress = isAddressOfThisMachine,
}: {
  read?: (file: string) => Promise<string>;
  isOwnAddress?: (address: string) => boolean;
} = {}): FindPeerUser {
  const readTables = shareRuns(async () => {
    const tables = await Promise.all(TABLES.map((file) => readTable(file, read)));
    return { text: tables.join('\n'), isMissing: tables[0] === null };
  });
  return async ({ localAddress, localPort, remoteAddress, remotePort }) => {
    // The peer has closed the connection.
    if (localAddress === undefined || remoteAddress === undefined) return 'no-process';
    if (!isOwnAddress(remoteAddress)) return 'unknown';
    const rows = tableRows(
      { address: remoteAddress, port: remotePort },
      { address: localAddress, port: localPort },
    );
    // A table that changes while it is read can lack a row, so it is read again before the result is "no process".
    for (const attempt of [1, 2]) {
      const { text, isMissing } = await readTables();
      const user = findUser(text, rows);
      if (user !== null) return user;
      if (isMissing && attempt === 1) return 'unknown';
    }
    return 'no-process';
  };
}

async function readTable(file: string, read: (file: string) => Promise<string>): Promise<string | null> {
  try {
    return await read(file);
  } catch (cause) {
    return NO_TABLE.includes((cause as NodeJS.ErrnoException).code) ? null : '';
  }
}

/** Columns after the two addresses: state, queues, timer, retransmits, user, timeout, inode. */
function findUser(text: string, rows: readonly string[]): number | null {
  for (const row of rows) {
    const start = text.indexOf(row);
    if (start < 0) continue;
    const [, , , , user, , inode] = text.slice(start + row.length, start + row.length + 120).split(/\s+/);
    if (Number(inode) > 0) return Number(user);
  }
  return null;
}

interface End {
  address: string;
  port: number | undefined;
}

/** The two addresses as both tables contain them: an IPv4 connection can belong to an IPv6 socket. */
function tableRows(from: End, to: End): readonly string[] {
  return [plainBytes, mappedBytes].map((bytesOf) => {
    const [first, second] = [from, to].map(({ address, port = 0 }) => {
      return `${hexWords(bytesOf(address))}:${port.toString(16).toUpperCase().padStart(4, '0')}`;
    });
    return ` ${first} ${second} `;
  });
}

const withoutPrefix = (address: string) => address.replace(/^::ffff:(?=\d+\.)/i, '').replace(/%.*$/, '');

function plainBytes(address: string): readonly number[] {
  const plain = withoutPrefix(address);
  if (isIPv4(plain)) return plain.split('.').map(Number);
  const [front = [], back = []] = plain.split('::').map((part) => part.split(':').filter(Boolean));
  const zeros = Array.from({ length: 8 - front.length - back.length }, () => '0');
  return [...front, ...zeros, ...back].flatMap((group) => [
    Number.parseInt(group, 16) >> 8,
    Number.parseInt(group, 16) & 255,
  ]);
}

function mappedBytes(address: string): readonly number[] {
  const bytes = plainBytes(address);
  return bytes.length === 4 ? [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 255, 255, ...bytes] : bytes;
}

/** The kernel prints words of four bytes in the byte order of the machine. */
function hexWords(bytes: readonly number[]): string {
  const buffer = Buffer.from(bytes);
  if (endianness() === 'LE') buffer.swap32();
  return buffer.toString('hex').toUpperCase();
}

function isAddressOfThisMachine(address: string): boolean {
  if (isLoopbackAddress(address)) return true;
  const plain = withoutPrefix(address);
  return Object.values(networkInterfaces()).some((list) => list?.some((own) => own.address === plain));
}

/** Runs once at a time. Each caller gets the result of a run that began after its call. */
function shareRuns<Result>(run: () => Promise<Result>): () => Promise<Result> {
  let current: Promise<Result> | null = null;
  let next: Promise<Result> | null = null;
  const start = (): Promise<Result> => {
    const own = run().finally(() => {
      if (current === own) current = null;
    });
    current = own;
    return own;
  };
  return () => {
    if (current === null) return start();
    next ??= current.then(() => {
      next = null;
      return start();
    });
    return next;
  };
}
