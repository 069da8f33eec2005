import type { Fact, Observation } from '@claude-mem/core';
import { createObserverBatch } from '@claude-mem/core/testing';
import { describe, expect, it } from 'vitest';
import { collectEvidence } from './collect-evidence.js';
import { findKnownFix, formatFixFact, readFixFact } from './fix-fact.js';
import { bash, edit, failedBash, type ToolUseFields } from './testing/index.js';

const factsOf = (...toolUses: ToolUseFields[]) => {
  const { fixes, edits } = collectEvidence(createObserverBatch({ toolUses }));
  return fixes.map((fix) => formatFixFact(fix, edits));
};
const ERROR = "src/a.ts:3:1: error TS2304: Cannot find name 'total'";
const FACT = `\`npm run lint\` failed: “${ERROR}”; passes after edits of \`src/a.ts\``;

describe('formatFixFact', () => {
  it('names the files that were edited between the failure and the pass', () => {
    expect(
      factsOf(
        edit('src/before.ts', 'a', 'b'),
        failedBash('npm run lint', ERROR),
        edit('src/a.ts', 'a', 'b'),
        bash('npm run lint', ''),
        edit('src/after.ts', 'a', 'b'),
      ),
    ).toEqual([FACT]);
  });

  it('names the executed command when no file was edited', () => {
    const [fact] = factsOf(
      failedBash('npm run lint', ERROR),
      bash('npm run lint:fix', ''),
      bash('npm run lint', ''),
    );
    expect(fact).toContain('; passes after `npm run lint:fix`');
  });
});

describe('readFixFact', () => {
  it('reads the error and the fix with its command when the fact was formatted from a fix', () => {
    expect(readFixFact(FACT)).toEqual({
      error: ERROR,
      fix: '`npm run lint` passes after edits of `src/a.ts`',
    });
    const larger = FACT.replace('; passes', '; `npm run check` passes');
    expect(readFixFact(larger)?.fix).toBe('`npm run check` passes after edits of `src/a.ts`');
  });

  it.each(['`src/a.ts` was changed', '`npm test`: 12 tests passed', FACT.slice(0, -9) + '…', `${FACT}\n`])(
    'returns null for %j',
    (text) => {
      expect(readFixFact(text)).toBeNull();
    },
  );
});

describe('findKnownFix', () => {
  const record = (id: number, more: Partial<Observation> = {}, fact: Partial<Fact> = {}) =>
    ({
      id,
      source: 'observer',
      supersededBy: null,
      createdAtEpoch: id,
      facts: [{ text: FACT, origin: 'evidence', ...fact }],
      ...more,
    }) as Observation;
  const again = "src/a.ts:88:2: error TS2304: Cannot find name 'total'";

  it('finds the newest record that proves the fix when only numbers differ', () => {
    expect(findKnownFix([record(1), record(3), record(2)], again)).toEqual({
      record: expect.objectContaining({ id: 3 }) as Observation,
      error: ERROR,
      fix: '`npm run lint` passes after edits of `src/a.ts`',
    });
  });

  it.each([
    ['the agent stated it', record(1, {}, { origin: 'agent' })],
    ['the origin is not known', record(1, {}, { origin: null })],
    ['the record was imported', record(1, { source: 'import' })],
    ['an agent saved the record', record(1, { source: 'agent' })],
    ['the record is superseded', record(1, { supersededBy: 2 })],
  ])('returns null when %s', (_, one) => {
    expect(findKnownFix([one], again)).toBeNull();
  });

  it('returns null when the error differs', () => {
    expect(findKnownFix([record(1)], 'src/a.ts:3:1: error TS2552: Cannot find name')).toBeNull();
  });
});
