import { describe, expect, it } from 'vitest';
import { readLines } from './read-lines.js';

async function readAll(chunks: readonly (string | Uint8Array)[], maxLength = 100) {
  const source = (async function* () {
    yield* chunks;
  })();
  const lines = [];
  for await (const { number, text } of readLines(source, { maxLength })) lines.push([number, text]);
  return lines;
}

describe('readLines', () => {
  it('numbers the lines with or without a line end after the last one', async () => {
    expect(await readAll(['a\nb\n'])).toEqual([
      [1, 'a'],
      [2, 'b'],
    ]);
    expect(await readAll(['a\n\nb'])).toEqual([
      [1, 'a'],
      [2, ''],
      [3, 'b'],
    ]);
    expect(await readAll([])).toEqual([]);
  });

  it('joins chunks that split a line or a character', async () => {
    const bytes = new TextEncoder().encode('ä😀é\nende');
    const pieces = [...bytes].map((byte) => new Uint8Array([byte]));
    expect(await readAll(pieces)).toEqual([
      [1, 'ä😀é'],
      [2, 'ende'],
    ]);
  });

  it('skips a line that is too long and reads the next one', async () => {
    const long = 'x'.repeat(101);
    expect(await readAll([`${long}\nb`])).toEqual([
      [1, null],
      [2, 'b'],
    ]);
    expect(await readAll([...long, ...long, '\n', 'b\n'])).toEqual([
      [1, null],
      [2, 'b'],
    ]);
    expect(await readAll(['a\n', ...long])).toEqual([
      [1, 'a'],
      [2, null],
    ]);
  });
});
