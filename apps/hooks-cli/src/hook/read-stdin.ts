import type { Readable } from 'node:stream';

/** After this many seconds what has come counts, whatever it looks like. */
const LONGEST_WAIT_S = 10;

/** All of stdin. Some hosts never close it: after a second what looks whole counts; a busy host may need longer. */
export function readStdin(stdin: Readable): Promise<Buffer> {
  const chunks: Buffer[] = [];
  return new Promise((resolve) => {
    const end = () => {
      clearInterval(timer);
      stdin.destroy();
      resolve(Buffer.concat(chunks));
    };
    let seconds = 0;
    const timer = setInterval(() => {
      seconds += 1;
      if (seconds === LONGEST_WAIT_S || looksWhole(Buffer.concat(chunks))) end();
    }, 1_000);
    stdin.on('data', (chunk: Buffer) => chunks.push(chunk));
    stdin.once('end', end);
    stdin.once('error', end);
  });
}

const looksWhole = (bytes: Buffer) =>
  /[}\]]\s*$/.test(bytes.toString('latin1', Math.max(0, bytes.length - 3)));
