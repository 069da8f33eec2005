import type { Readable } from 'node:stream';

/** After this many seconds what has come counts, whatever it looks like. */
const LONGEST_WAIT_S = 10;
/** The worker takes no longer event. */
const MOST_BYTES = 34 * 1024 * 1024;

/**
 * All of stdin, as far as it can be an event. Some hosts never close it: after a second what looks whole counts; a busy host may need longer.
 * @param options.firstByteMs when nothing has come by then, nothing will. @default as long as for all
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
      if (seconds === LONGEST_WAIT_S || looksWhole(Buffer.concat(chunks))) end();
    }, 1_000);
    const silence = firstByteMs === undefined ? undefined : setTimeout(end, firstByteMs);
    stdin.on('data', (chunk: Buffer) => {
      clearTimeout(silence);
      chunks.push(chunk);
      size += chunk.length;
      if (size > MOST_BYTES) end();
    });
    stdin.once('end', end);
    stdin.once('error', end);
  });
}

const looksWhole = (bytes: Buffer) =>
  /[}\]]\s*$/.test(bytes.toString('latin1', Math.max(0, bytes.length - 3)));
