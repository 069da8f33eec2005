import { afterEach, describe, expect, it } from 'vitest';
import { localDayOf, nextLocalDayEpoch } from './index.js';

const zone = process.env['TZ'];
afterEach(() => {
  if (zone === undefined) delete process.env['TZ'];
  else process.env['TZ'] = zone;
});

describe('local days', () => {
  it('begin at midnight of the machine', () => {
    process.env['TZ'] = 'America/New_York';
    const late = Date.UTC(2026, 10, 29, 4, 30);
    expect(localDayOf(late)).toBe('2026-11-28');
    expect(nextLocalDayEpoch(late)).toBe(Date.UTC(2026, 10, 29, 5));
    expect(localDayOf(nextLocalDayEpoch(late))).toBe('2026-11-29');
  });

  it('have 23 hours when the clocks go forward', () => {
    process.env['TZ'] = 'Europe/Berlin';
    const start = Date.UTC(2026, 2, 28, 23);
    expect(localDayOf(start)).toBe('2026-03-29');
    expect(nextLocalDayEpoch(start) - start).toBe(23 * 3_600_000);
  });
});
