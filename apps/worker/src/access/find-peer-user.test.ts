import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { createFindPeerUser, type Ends } from './find-peer-user.js';

const HEAD =
  '  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n';
const row = (local: string, remote: string, state: string, user: number, inode = 911) =>
  `   0: ${local} ${remote} ${state} 00000000:00000000 00:00000000 00000000 ${String(user).padStart(5)}        0 ${inode} 1 0000000000000000 20 4 30 10 -1\n`;

const WORKER = 37_777;
const LOOPBACK_6 = '00000000000000000000000001000000';
const MAPPED = '0000000000000000FFFF00000100007F';
const OUTSIDE_6 = 'B80D0120000000000000000001000000';
const TCP =
  HEAD +
  row('0100007F:9391', '00000000:0000', '0A', 7) +
  row('0100007F:9391', '0100007F:C350', '01', 7) +
  row('0100007F:C350', '0100007F:1F90', '01', 8) +
  row('0100007F:C350', '0100007F:9391', '01', 1001);
const TCP6 =
  HEAD +
  row(`${LOOPBACK_6}:C351`, `${LOOPBACK_6}:9391`, '01', 1002) +
  row(`${MAPPED}:C352`, `${MAPPED}:9391`, '01', 1003) +
  row(`${OUTSIDE_6}:C354`, `${OUTSIDE_6}:9391`, '01', 1004);

const ends = (remoteAddress: string, remotePort: number): Ends => ({
  remoteAddress,
  remotePort,
  localAddress: remoteAddress,
  localPort: WORKER,
});
const finderOf = (tcp: string, tcp6 = HEAD) =>
  createFindPeerUser({
    read: async (file) => (file.endsWith('6') ? tcp6 : tcp),
    isOwnAddress: (address) => address !== '192.0.2.9',
  });
const failWith = (code: string) => async () => {
  throw Object.assign(new Error(code), { code });
};

describe('findPeerUser', () => {
  it.each([
    ['127.0.0.1', 50_000, 1001],
    ['::ffff:127.0.0.1', 50_000, 1001],
    ['::1', 50_001, 1002],
    ['127.0.0.1', 50_002, 1003],
    ['2001:db8::1', 50_004, 1004],
    ['127.0.0.1', 50_003, 'no-process'],
    ['127.0.0.2', 50_000, 'no-process'],
    ['192.0.2.9', 50_000, 'unknown'],
  ])('S01: for the peer address %s:%i, returns the user %s', async (address, port, user) => {
    expect(await finderOf(TCP, TCP6)(ends(address, port))).toBe(user);
  });

  it.each(['01', '02', '04', '05', '06', '07', '08', '09', '0B', '0C'])(
    'S01: returns the owner of a connection in the TCP state %s',
    async (state) => {
      const find = finderOf(HEAD + row('0100007F:C350', '0100007F:9391', state, 1001));
      expect(await find(ends('127.0.0.1', 50_000))).toBe(1001);
      const find6 = finderOf(HEAD, HEAD + row(`${LOOPBACK_6}:C350`, `${LOOPBACK_6}:9391`, state, 1001));
      expect(await find6(ends('::1', 50_000))).toBe(1001);
    },
  );

  it('S01: does not attribute a socket without a process to root', async () => {
    const find = finderOf(HEAD + row('0100007F:C350', '0100007F:9391', '05', 0, 0));
    expect(await find(ends('127.0.0.1', 50_000))).toBe('no-process');
  });

  it('S01: returns no-process when the peer has closed its connection', async () => {
    const gone = { remoteAddress: undefined, remotePort: undefined };
    expect(await finderOf(TCP)({ ...ends('', 1), ...gone })).toBe('no-process');
  });

  it('reads the table again when its row is missing', async () => {
    const texts = [HEAD, HEAD, TCP];
    const find = createFindPeerUser({ read: async () => texts.shift() ?? HEAD });
    expect(await find(ends('127.0.0.1', 50_000))).toBe(1001);
  });

  it.each(['ENOENT', 'EACCES'])('returns unknown when the table fails with %s', async (code) => {
    const find = createFindPeerUser({ read: failWith(code) });
    expect(await find(ends('127.0.0.1', 50_000))).toBe('unknown');
  });

  it('S01: returns no-process when no more files can be opened', async () => {
    const find = createFindPeerUser({ read: failWith('EMFILE') });
    expect(await find(ends('127.0.0.1', 50_000))).toBe('no-process');
  });

  it('S07: shares one read among all waiting requests, and starts it after they were made', async () => {
    let reads = 0;
    const open: (() => void)[] = [];
    const find = createFindPeerUser({
      read: async (file) => {
        if (file.endsWith('6')) return HEAD;
        reads += 1;
        await new Promise<void>((resolve) => open.push(resolve));
        return TCP;
      },
    });
    const first = find(ends('127.0.0.1', 50_000));
    const rest = Array.from({ length: 400 }, () => find(ends('127.0.0.1', 50_000)));
    expect(reads).toBe(1);
    open.shift()?.();
    expect(await first).toBe(1001);
    await expect.poll(() => open.length).toBe(1);
    open.shift()?.();
    expect(new Set(await Promise.all(rest))).toEqual(new Set([1001]));
    expect(reads).toBe(2);
  });

  describe.runIf(process.platform === 'linux')('with a real connection', () => {
    it.each(['127.0.0.1', '::1', '::'])(
      'returns the current user over %s, also when the connection is half-closed',
      async (host) => {
        const server = createServer({ allowHalfOpen: true }).listen(0, host);
        await once(server, 'listening');
        const { port } = server.address() as AddressInfo;
        const accepted = once(server, 'connection') as Promise<[Socket]>;
        const client = connect({ port, host: host === '::' ? '127.0.0.1' : host, allowHalfOpen: true });
        try {
          const [socket] = await accepted;
          const find = createFindPeerUser();
          expect(await find(socket)).toBe(process.getuid?.());
          const ended = once(socket.resume(), 'end');
          client.end();
          await ended;
          expect(await find(socket)).toBe(process.getuid?.());
        } finally {
          client.destroy();
          server.close();
        }
      },
    );
  });
});
