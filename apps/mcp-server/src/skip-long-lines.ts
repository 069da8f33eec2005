import { Transform, type TransformCallback } from 'node:stream';

/** Number of bytes at both ends of a line in which the id of the request is searched. */
const ID_SEARCH_BYTES = 256;
const NEWLINE = 10;
const LINE_FEED = Buffer.from([NEWLINE]);

export interface SkippedLine {
  /** Null when no id was found, as in a notification. */
  id: string | number | null;
}

/**
 * Passes lines on and skips lines of more than `maxBytes` bytes without buffering them. Without this filter, the reader of the
 * protocol library would close the connection.
 */
export function skipLongLines(maxBytes: number, onSkipped: (line: SkippedLine) => void): Transform {
  let parts: Buffer[] = [];
  let size = 0;
  let head: Buffer | null = null;
  let tail = Buffer.alloc(0);

  const add = (part: Buffer) => {
    size += part.length;
    if (head === null && size <= maxBytes) return void parts.push(part);
    if (head === null) {
      const line = Buffer.concat([...parts, part.subarray(0, ID_SEARCH_BYTES)]);
      head = Buffer.from(line.subarray(0, ID_SEARCH_BYTES));
      parts = [];
    }
    tail = Buffer.from(Buffer.concat([tail, part.subarray(-ID_SEARCH_BYTES)]).subarray(-ID_SEARCH_BYTES));
  };
  const takeLine = (): Buffer | null => {
    const line = head === null ? Buffer.concat(parts) : null;
    if (head !== null) onSkipped({ id: findId(head.toString()) ?? findId(tail.toString()) });
    parts = [];
    size = 0;
    head = null;
    tail = Buffer.alloc(0);
    return line;
  };
  return new Transform({
    transform(chunk: Buffer, _encoding, done: TransformCallback) {
      let from = 0;
      for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, from)) {
        add(chunk.subarray(from, end + 1));
        from = end + 1;
        const line = takeLine();
        if (line !== null) this.push(line);
      }
      if (from < chunk.length) add(chunk.subarray(from));
      done();
    },
    flush(done) {
      // the last line can end without a line feed
      const line = takeLine();
      if (line !== null && line.length > 0) this.push(Buffer.concat([line, LINE_FEED]));
      done();
    },
  });
}

/** An "id" inside a JSON string has escaped quotes, so it does not match. */
function findId(text: string): string | number | null {
  const [, digits, word] = /(?<!\\)"id"\s*:\s*(?:(-?\d{1,15})|"([^"\\]{0,100})")\s*[,}]/.exec(text) ?? [];
  return digits === undefined ? (word ?? null) : Number(digits);
}
