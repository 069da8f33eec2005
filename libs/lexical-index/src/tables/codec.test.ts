import { FIELDS } from '../analysis/analyze-record.js';
import { randomFrom } from '@claude-mem/core/testing';
import { describe, expect, it } from 'vitest';
import type { DocumentRow } from './document-row.js';
import { decodeDocumentRows, encodeDocumentRow } from './document-row.js';
import { decodeDocumentTerms, packDocumentTerms } from './document-terms.js';
import { byteOfLength, lengthOfByte } from './field-length.js';
import { appendPostings, decodePostings, type Posting } from './postings.js';

const SIGNS = ['a', 'Z', '0', '/', '#', 'é', '用', '🎉', '\u0001', ' ', '-'];

function generator(seed: number) {
  const random = randomFrom(seed);
  const below = (limit: number) => Math.floor(random() * limit);
  /** Returns mostly small numbers, and sometimes numbers up to the limit. */
  const number = (most: number) => Math.min(most, Math.floor(2 ** (random() ** 3 * Math.log2(most + 1))));
  const counts = () => {
    const all = FIELDS.map(() => (random() < 0.6 ? 0 : random() < 0.7 ? 1 : 1 + below(255)));
    return all.some((count) => count > 0) ? all : FIELDS.map((_, field) => (field === 0 ? 1 : 0));
  };
  const word = () => Array.from({ length: 1 + below(12) }, () => SIGNS[below(SIGNS.length)]).join('');
  const postings = (count: number, after = 0): Posting[] => {
    let documentId = after;
    return Array.from({ length: count }, () => {
      documentId += 1 + number(random() < 0.01 ? 1_000_000 : 300);
      return { documentId, counts: counts() };
    });
  };
  return { below, number, counts, word, postings };
}

const decoded = (blocks: readonly Uint8Array[]) => {
  const { documents, counts } = decodePostings(blocks);
  return [...documents].map((documentId, place) => ({
    documentId,
    counts: [...counts.subarray(place * FIELDS.length, (place + 1) * FIELDS.length)],
  }));
};

describe('postings', () => {
  it('are decoded unchanged for every portion size, from blocks that fit into a page', () => {
    for (let seed = 1; seed <= 60; seed += 1) {
      const { below, postings } = generator(seed);
      const all = postings(below(seed % 3 === 0 ? 4_000 : 40) + 1);
      expect(decoded(appendPostings(null, all))).toEqual(all);
      const blocks: Uint8Array[] = [];
      for (let at = 0; at < all.length;) {
        const portion = all.slice(at, (at += 1 + below(900)));
        blocks.push(...appendPostings(blocks.pop() ?? null, portion));
      }
      expect(decoded(blocks)).toEqual(all);
      for (const block of blocks) expect(block.length).toBeLessThan(2_030);
    }
  });

  it('support the largest document id and count', () => {
    const counts = FIELDS.map(() => 1_000);
    const edge = [
      { documentId: 1, counts },
      { documentId: 0xffff_ffff, counts },
    ];
    expect(decoded(appendPostings(null, edge))).toEqual(
      edge.map(({ documentId }) => ({ documentId, counts: FIELDS.map(() => 255) })),
    );
  });

  it('are rejected when bytes are missing or left over', () => {
    const [block] = appendPostings(null, generator(1).postings(20)) as [Uint8Array];
    for (const bytes of [block.subarray(0, -1), Buffer.concat([block, Buffer.of(0x81)])])
      expect(() => decodePostings([bytes])).toThrow(expect.objectContaining({ code: 'storage/corrupt' }));
    expect(() => decodePostings([block, block])).toThrow(
      expect.objectContaining({ code: 'storage/corrupt' }),
    );
  });

  it('reject documents that are not in ascending order', () => {
    const counts = FIELDS.map(() => 1);
    for (const later of [5, 4])
      expect(() =>
        appendPostings(null, [
          { documentId: 5, counts },
          { documentId: later, counts },
        ]),
      ).toThrow(expect.objectContaining({ code: 'storage/corrupt' }));
  });
});

describe('documents', () => {
  it('are decoded with the same terms', () => {
    for (let seed = 1; seed <= 60; seed += 1) {
      const { below, word, counts } = generator(seed);
      const terms = new Map(Array.from({ length: below(200) }, () => [word(), counts()]));
      const found = decodeDocumentTerms(packDocumentTerms(terms).data);
      expect(new Map(found.map((one) => [one.term, [...one.counts]]))).toEqual(terms);
    }
  });

  it('are decoded with the same columns', () => {
    for (let seed = 1; seed <= 60; seed += 1) {
      const { below, number, word } = generator(seed);
      const rows = Array.from({ length: 1 + below(50) }, (): DocumentRow => {
        const type = below(3) === 0 ? null : word();
        const time = number(4e15) * (below(5) === 0 ? -1 : 1) || 0;
        const lengths = Uint8Array.from(FIELDS, () => below(256));
        const large = () => number(Number.MAX_SAFE_INTEGER);
        return [large(), below(3), large(), number(1e9), number(1e9), number(1e6), time, type, lengths];
      });
      const found = [...decodeDocumentRows(Buffer.concat(rows.map(encodeDocumentRow)))];
      expect(found.map(([...row]) => [...row.slice(0, 8), ...(row[8] as Uint8Array)])).toEqual(
        rows.map(([...row]) => [...row.slice(0, 8), ...(row[8] as Uint8Array)]),
      );
    }
  });

  it('have the same length after encoding, within 2 % for long texts', () => {
    for (let length = 0; length <= 60_000; length += length < 300 ? 1 : 97) {
      const kept = lengthOfByte(byteOfLength(length));
      expect(Math.abs(kept - length)).toBeLessThanOrEqual(length <= 40 ? 0 : length * 0.025 + 0.5);
    }
    expect(byteOfLength(1e9)).toBe(255);
    expect(byteOfLength(-1)).toBe(0);
  });
});

it('decodes damaged bytes to storage/corrupt or other values, and never hangs', () => {
  const readers = [
    (data: Uint8Array) => decodePostings([data]),
    decodeDocumentTerms,
    (data: Uint8Array) => [...decodeDocumentRows(data)],
  ];
  let refused = 0;
  for (let seed = 1; seed <= 400; seed += 1) {
    const { below, postings, word, counts } = generator(seed);
    const terms = new Map(Array.from({ length: 20 }, () => [word(), counts()]));
    const row: DocumentRow = [9, 1, 9, 1, 1, 1, 1e12, word(), Uint8Array.from(FIELDS)];
    const good = [
      appendPostings(null, postings(50))[0]!,
      packDocumentTerms(terms).data,
      encodeDocumentRow(row),
    ];
    readers.forEach((read, place) => {
      const bytes = Uint8Array.from(good[place]!);
      if (below(2) === 0)
        for (let change = 0; change < 4; change += 1) bytes[below(bytes.length)] = below(256);
      const cut = bytes.subarray(0, below(3) === 0 ? below(bytes.length) : bytes.length);
      try {
        read(cut);
      } catch (error) {
        expect(error).toMatchObject({ code: 'storage/corrupt' });
        refused += 1;
      }
    });
  }
  expect(refused).toBeGreaterThan(200);
  for (const read of readers)
    expect(() => read(Uint8Array.of(0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f))).toThrow(
      expect.objectContaining({ code: 'storage/corrupt' }),
    );
  const row = encodeDocumentRow([0, 1, 1, 1, 1, 1, 1, null, Uint8Array.from(FIELDS)]);
  const endless = Buffer.concat([new Uint8Array(150).fill(0x80), row]);
  expect(() => decodeDocumentRows(endless)).toThrow(expect.objectContaining({ code: 'storage/corrupt' }));
});
