import { once } from 'node:events';
import { Writable, type Readable } from 'node:stream';
import { createInterface } from 'node:readline/promises';

/** Input and output of a command. */
export interface Terminal {
  /** Prints one or more lines to stdout. */
  print(text?: string): void;
  /** Writes the bytes to stdout unchanged. */
  write(bytes: string | Uint8Array): void;
  /** Writes the bytes to stdout unchanged. Resolves when stdout accepts more. */
  writeAndDrain(bytes: string): Promise<void>;
  /** Prints one line to stderr. */
  warn(text: string): void;
  /** Prints one line to stderr when stderr is a terminal. */
  reportProgress(text: string): void;
  /** True when stdin is a terminal. */
  isInteractive: boolean;
  /** True when stdout is a terminal. */
  isOutputTerminal: boolean;
  /** Asks a yes-or-no question. Every answer except yes counts as no. */
  confirm(question: string): Promise<boolean>;
  /** Asks for a value without echoing it. Returns '' when the user enters nothing or cancels. */
  askSecret(question: string): Promise<string>;
}

export function createTerminal({
  stdin,
  stdout,
  stderr,
}: {
  stdin: Readable & { isTTY?: boolean };
  stdout: Writable & { isTTY?: boolean };
  stderr: Writable & { isTTY?: boolean };
}): Terminal {
  const warn = (text: string) => void stderr.write(`${plainText(text)}\n`);
  return {
    print: (text = '') => void stdout.write(`${plainText(text)}\n`),
    write: (bytes) => void stdout.write(bytes),
    async writeAndDrain(bytes) {
      if (!stdout.write(bytes)) await once(stdout, 'drain');
    },
    warn,
    reportProgress(text) {
      if (stderr.isTTY === true) warn(text);
    },
    isInteractive: stdin.isTTY === true,
    isOutputTerminal: stdout.isTTY === true,
    async confirm(question) {
      const lines = createInterface({ input: stdin, output: stderr });
      const answer = await lines.question(`${question} [y/N] `);
      lines.close();
      return /^y(es)?$/i.test(answer.trim());
    },
    async askSecret(question) {
      stderr.write(question);
      const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
      // in terminal mode, readline echoes the input itself, so the output discards it
      const lines = createInterface({ input: stdin, output: nowhere, terminal: true });
      const answer = await new Promise<string>((resolve) => {
        lines.once('line', resolve);
        lines.once('close', () => resolve(''));
      });
      lines.close();
      stderr.write('\n');
      return answer.trim();
    },
  };
}

/** Removes control characters from stored text, because they could control the terminal. */
function plainText(text: string): string {
  // eslint-disable-next-line no-control-regex -- control characters are removed
  return text.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g, '');
}
