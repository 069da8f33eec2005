import { expect, it } from 'vitest';
import { createPool } from './pool.js';

const rows = () =>
  createPool({
    kept: 3,
    create: (size) => new Float64Array(size),
    sizeOf: ({ length }) => length,
    clear: (row) => row.fill(0),
  });

it('returns different objects within one query and reuses them, cleared, in later queries', () => {
  const pool = rows();
  const lease = pool.begin();
  const first = lease.acquire(10).fill(7);
  const second = lease.acquire(10);
  expect(second).not.toBe(first);
  lease.release();
  const again = lease.acquire(12);
  expect([first, second]).toContain(again);
  expect(new Set(again)).toEqual(new Set([0]));
  expect(lease.acquire(1_000).length).toBeGreaterThanOrEqual(1_000);
});

it('returns no object that another query still uses', () => {
  const pool = rows();
  const held = pool.begin().acquire(10).fill(7);
  const other = pool.begin();
  expect(other.acquire(10)).not.toBe(held);
  other.release();
  expect(new Set(held)).toEqual(new Set([7]));
});
