import type { Readable } from 'node:stream';

/** After this many seconds, incomplete input is accepted. */
const MAX_WAIT_S = 10;
/** The worker rejects longer events. */
const MAX_BYTES = 34 * 1024 * 1024;

/**
 * Reads an event from stdin. Some hosts never close stdin, so input that looks complete is accepted after one second.
 * @param options.firstByteMs returns empty when no byte arrives within this time. @default 10 seconds
 */
export function readStdin(stdin: Readable, { firstByteMs }: { firstByteMs?: number } = {}): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  return new Promise((resolve) => {
    const end = () => {
      clearInterval(timer);
      clearTimeout(silence);
      stdin.destroy();
      resolve(Buffer.concat(chunks));
    };
    let seconds = 0;
    const timer = setInterval(() => {
      seconds += 1;
      if (seconds === MAX_WAIT_S || looksComplete(Buffer.concat(chunks))) end();
    }, 1_000);
    const silence = firstByteMs === undefined ? undefined : setTimeout(end, firstByteMs);
    stdin.on('data', (chunk: Buffer) => {
      clearTimeout(silence);
      chunks.push(chunk);
      size += chunk.length;
      if (size > MAX_BYTES) end();
    });
    stdin.once('end', end);
    stdin.once('error', end);
  });
}

const looksComplete = (bytes: Buffer) =>
  /[}\]]\s*$/.test(bytes.toString('latin1', Math.max(0, bytes.length - 3)));
