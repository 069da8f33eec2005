import { connect, createServer, type Socket } from 'node:net';

/** An address in front of a server that can be closed. Connections are then refused, as by a machine that is down. */
export interface Door extends AsyncDisposable {
  readonly url: string;
  shut(): Promise<void>;
  open(): Promise<void>;
}

export async function openDoor(target: string): Promise<Door> {
  const { hostname, port: targetPort } = new URL(target);
  const sockets = new Set<Socket>();
  const server = createServer((incoming) => {
    const outgoing = connect(Number(targetPort), hostname);
    for (const [one, other] of [
      [incoming, outgoing],
      [outgoing, incoming],
    ] as const) {
      sockets.add(one);
      one.pipe(other);
      one.on('error', () => other.destroy());
      one.once('close', () => {
        sockets.delete(one);
        other.destroy();
      });
    }
  });
  let port = 0;
  const open = () =>
    new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(port, '127.0.0.1', () => {
        const address = server.address();
        port = typeof address === 'object' && address !== null ? address.port : port;
        resolve();
      });
    });
  const shut = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      for (const socket of sockets) socket.destroy();
    });
  await open();
  return { url: `http://127.0.0.1:${port}`, shut, open, [Symbol.asyncDispose]: shut };
}
