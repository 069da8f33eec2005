import { connect } from 'node:net';

/** `late`: the timeout expired. `unanswered`: no process listens, or the response is incomplete. */
export type PostResult =
  { kind: 'answered'; status: number; body: Buffer } | { kind: 'late' } | { kind: 'unanswered' };

export interface PostRequest {
  socket: string;
  /** URL path without characters that need escaping. */
  path: string;
  body: Buffer;
  timeoutMs: number;
}

/** Sends one POST over the Unix socket. Does not use `node:http`, because loading it takes a third of the time of a hook. */
export function postEvent({ socket, path, body, timeoutMs }: PostRequest): Promise<PostResult> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    const connection = connect(socket);
    const finish = (result: PostResult) => {
      clearTimeout(timer);
      connection.destroy();
      resolve(result);
    };
    const timer = setTimeout(() => finish({ kind: 'late' }), timeoutMs);
    connection.on('data', (chunk: Buffer) => chunks.push(chunk));
    connection.once('end', () => finish(readAnswer(Buffer.concat(chunks))));
    connection.once('error', () => finish({ kind: 'unanswered' }));
    const head = [
      `POST ${path} HTTP/1.1`,
      'host: localhost',
      'content-type: application/x-claude-mem-hook',
      `content-length: ${body.length}`,
      'connection: close',
    ];
    connection.write(`${head.join('\r\n')}\r\n\r\n`);
    connection.write(body);
  });
}

function readAnswer(answer: Buffer): PostResult {
  const end = answer.indexOf('\r\n\r\n');
  const head = answer.toString('latin1', 0, Math.max(0, end));
  const status = Number(/^HTTP\/1\.[01] (\d{3})/.exec(head)?.[1]);
  const length = Number(/\r\ncontent-length: *(\d+)/i.exec(head)?.[1] ?? NaN);
  const body = answer.subarray(end + 4);
  if (end < 0 || !status || body.length !== length) return { kind: 'unanswered' };
  return { kind: 'answered', status, body };
}
