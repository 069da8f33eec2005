import { expect, it } from 'vitest';
import { createTablesInMemory, observationOf } from '../__fixtures__/create-tables-in-memory.js';
import { openLexicalIndex } from '../scoring/lexical-index.js';
import { NONE } from './session-order.js';

it('returns the records of a session in chronological order, with the neighbours of each record', () => {
  const tables = createTablesInMemory();
  const write = (recordId: number, promptNumber: number, createdAtEpoch: number, sessionId = 1) =>
    tables.write({
      recordId,
      promptNumber,
      createdAtEpoch,
      sessionId,
      record: observationOf({ title: 'x' }),
    });
  write(1, 2, 50);
  write(2, 1, 60);
  write(3, 1, 40);
  write(9, 1, 45, 2);
  write(4, 2, 55);
  const index = openLexicalIndex(tables);
  const session = () => index.read(({ documents }) => ids({ documents }, documents.sessionSlots(0)));
  expect(session()).toEqual([3, 2, 1, 4]);
  tables.remove('observation', 2);
  expect(session()).toEqual([3, 1, 4]);
  write(1, 3, 50);
  write(5, 1, 41);
  expect(session()).toEqual([3, 5, 4, 1]);
  const around = index.read(({ documents }) => {
    const last = documents.slotOf('observation', 1) ?? NONE;
    const before = documents.previous(last);
    expect(documents.next(before)).toBe(last);
    expect(documents.next(last)).toBe(NONE);
    expect(documents.previous(documents.slotOf('observation', 3) ?? NONE)).toBe(NONE);
    return ids({ documents }, [before, documents.previous(before)]);
  });
  expect(around).toEqual([4, 5]);
});

function ids({ documents }: { documents: { recordId: Uint32Array } }, slots: readonly number[]): number[] {
  return slots.map((slot) => documents.recordId[slot] ?? 0);
}
