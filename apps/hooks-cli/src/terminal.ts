import { once } from 'node:events';
import { Writable, type Readable } from 'node:stream';
import { createInterface } from 'node:readline/promises';

/** Where a command writes and asks. */
export interface Terminal {
  /** One line, or several, on stdout. */
  print(text?: string): void;
  /** Exactly these bytes on stdout. */
  write(bytes: string | Uint8Array): void;
  /** The same for much of it: resolves when the reader can take more. */
  pour(bytes: string): Promise<void>;
  /** One line on stderr. */
  complain(text: string): void;
  /** One line on stderr, only when stderr is a terminal. */
  reportProgress(text: string): void;
  /** True when a person sits at stdin. */
  isInteractive: boolean;
  /** True when stdout is a terminal. */
  isRead: boolean;
  /** Asks a yes-or-no question; anything but yes is no. */
  confirm(question: string): Promise<boolean>;
  /** Asks for something that must not be seen; '' when the person gives nothing or leaves. */
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
  const complain = (text: string) => void stderr.write(`${plainText(text)}\n`);
  return {
    print: (text = '') => void stdout.write(`${plainText(text)}\n`),
    write: (bytes) => void stdout.write(bytes),
    async pour(bytes) {
      if (!stdout.write(bytes)) await once(stdout, 'drain');
    },
    complain,
    reportProgress(text) {
      if (stderr.isTTY === true) complain(text);
    },
    isInteractive: stdin.isTTY === true,
    isRead: stdout.isTTY === true,
    async confirm(question) {
      const lines = createInterface({ input: stdin, output: stderr });
      const answer = await lines.question(`${question} [y/N] `);
      lines.close();
      return /^y(es)?$/i.test(answer.trim());
    },
    async askSecret(question) {
      stderr.write(question);
      const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
      // as a terminal, so that what is typed is echoed by it alone, and it echoes to nowhere
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

/** Stored text may hold anything: what could move the cursor, colour or rename a terminal is taken out. */
function plainText(text: string): string {
  // eslint-disable-next-line no-control-regex -- control characters are what is removed here
  return text.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g, '');
}
