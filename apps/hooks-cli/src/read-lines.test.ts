import { describe, expect, it } from 'vitest';
import { readLines } from './read-lines.js';

async function linesOf(chunks: readonly (string | Uint8Array)[], maxLength = 100) {
  const source = (async function* () {
    yield* chunks;
  })();
  const lines = [];
  for await (const { number, text } of readLines(source, { maxLength })) lines.push([number, text]);
  return lines;
}

describe('readLines', () => {
  it('numbers lines, with and without an end at the end', async () => {
    expect(await linesOf(['a\nb\n'])).toEqual([
      [1, 'a'],
      [2, 'b'],
    ]);
    expect(await linesOf(['a\n\nb'])).toEqual([
      [1, 'a'],
      [2, ''],
      [3, 'b'],
    ]);
    expect(await linesOf([])).toEqual([]);
  });

  it('puts together what comes in pieces, also inside of a character', async () => {
    const bytes = new TextEncoder().encode('ä😀é\nende');
    const pieces = [...bytes].map((byte) => new Uint8Array([byte]));
    expect(await linesOf(pieces)).toEqual([
      [1, 'ä😀é'],
      [2, 'ende'],
    ]);
  });

  it('passes over a line that is too long, however it comes, and goes on', async () => {
    const long = 'x'.repeat(101);
    expect(await linesOf([`${long}\nb`])).toEqual([
      [1, null],
      [2, 'b'],
    ]);
    expect(await linesOf([...long, ...long, '\n', 'b\n'])).toEqual([
      [1, null],
      [2, 'b'],
    ]);
    expect(await linesOf(['a\n', ...long])).toEqual([
      [1, 'a'],
      [2, null],
    ]);
  });
});
