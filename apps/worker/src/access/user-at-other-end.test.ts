import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { userAtOtherEnd } from './user-at-other-end.js';

const HEAD =
  '  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n';
const row = (local: string, remote: string, state: string, user: number) =>
  `   0: ${local} ${remote} ${state} 00000000:00000000 00:00000000 00000000  ${user}        0 1 1 0000000000000000 20 4 30 10 -1\n`;

const TCP =
  HEAD +
  row('0100007F:9391', '00000000:0000', '0A', 7) +
  row('0100007F:9391', '0100007F:C350', '01', 7) +
  row('0100007F:C350', '0100007F:9391', '06', 0) +
  row('0100007F:C350', '0100007F:1F90', '01', 8) +
  row('0100007F:C350', '0100007F:9391', '01', 1001);
const TCP6 =
  HEAD +
  row('00000000000000000000000001000000:C351', '00000000000000000000000001000000:9391', '01', 1002) +
  row('0000000000000000FFFF00000100007F:C352', '0000000000000000FFFF00000100007F:9391', '01', 1003);
const read = (file: string) => (file.endsWith('6') ? TCP6 : TCP);

describe('the user at the other end', () => {
  it.each([
    ['127.0.0.1', 50_000, 1001],
    ['::ffff:127.0.0.1', 50_000, 1001],
    ['::1', 50_001, 1002],
    ['127.0.0.1', 50_002, 1003],
    ['127.0.0.1', 50_003, null],
    ['127.0.0.2', 50_000, null],
  ])('of %s:%i is %s', (remoteAddress, remotePort, user) => {
    expect(userAtOtherEnd({ remoteAddress, remotePort, localPort: 37_777 }, read)).toBe(user);
  });

  it('is unknown where no table is', () => {
    const ends = { remoteAddress: '127.0.0.1', remotePort: 50_000, localPort: 37_777 };
    expect(userAtOtherEnd(ends, () => null)).toBeNull();
  });

  it.runIf(process.platform === 'linux').each(['127.0.0.1', '::1', '::'])(
    'is ourselves for a real connection to %s',
    async (host) => {
      const server = createServer().listen(0, host);
      await once(server, 'listening');
      const { port } = server.address() as AddressInfo;
      const accepted = once(server, 'connection') as Promise<[Socket]>;
      const client = connect(port, host === '::' ? '127.0.0.1' : host);
      try {
        const [socket] = await accepted;
        expect(userAtOtherEnd(socket)).toBe(process.getuid?.());
      } finally {
        client.destroy();
        server.close();
      }
    },
  );
});
