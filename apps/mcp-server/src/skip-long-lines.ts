import { Transform, type TransformCallback } from 'node:stream';

/** How much of each end of a line is looked at for the id of its request. */
const SEEN = 256;
const NEWLINE = 10;
const LINE_FEED = Buffer.from([NEWLINE]);

/** A line that was left out. */
export interface LongLine {
  /** Null: it holds none that can be found, as in a notification. */
  id: string | number | null;
}

/**
 * Input of which no line is longer than `longest` bytes: longer ones are left out whole, without being kept in memory. The protocol's
 * own reader would close the connection.
 */
export function skipLongLines(longest: number, onSkipped: (line: LongLine) => void): Transform {
  let parts: Buffer[] = [];
  let size = 0;
  let head: Buffer | null = null;
  let tail = Buffer.alloc(0);

  const add = (part: Buffer) => {
    size += part.length;
    if (head === null && size <= longest) return void parts.push(part);
    if (head === null) {
      const line = Buffer.concat([...parts, part.subarray(0, SEEN)]);
      head = Buffer.from(line.subarray(0, SEEN));
      parts = [];
    }
    tail = Buffer.from(Buffer.concat([tail, part.subarray(-SEEN)]).subarray(-SEEN));
  };
  const takeLine = (): Buffer | null => {
    const line = head === null ? Buffer.concat(parts) : null;
    if (head !== null) onSkipped({ id: idIn(head.toString()) ?? idIn(tail.toString()) });
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
      // the last line of an input may end without a line feed
      const line = takeLine();
      if (line !== null && line.length > 0) this.push(Buffer.concat([line, LINE_FEED]));
      done();
    },
  });
}

/** Inside a text of JSON the quotes would be escaped. */
function idIn(text: string): string | number | null {
  const [, digits, word] = /(?<!\\)"id"\s*:\s*(?:(-?\d{1,15})|"([^"\\]{0,100})")\s*[,}]/.exec(text) ?? [];
  return digits === undefined ? (word ?? null) : Number(digits);
}
