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

  it('have 23 hours when the clock is set forward', () => {
    process.env['TZ'] = 'Europe/Berlin';
    const start = Date.UTC(2026, 2, 28, 23);
    expect(localDayOf(start)).toBe('2026-03-29');
    expect(nextLocalDayEpoch(start) - start).toBe(23 * 3_600_000);
  });

  it.each([
    ['Asia/Kolkata', '2026-03-28T23:30:00Z', '2026-03-29', '2026-03-29T18:30:00.000Z'],
    ['Europe/Berlin', '2026-10-25T00:30:00Z', '2026-10-25', '2026-10-25T23:00:00.000Z'],
    // A day without midnight: the clock changes from 23:59 to 1:00.
    ['America/Asuncion', '2024-10-05T12:00:00Z', '2024-10-05', '2024-10-06T04:00:00.000Z'],
  ])('end at the start of the next day: %s at %s', (timeZone, now, day, next) => {
    process.env['TZ'] = timeZone;
    expect(localDayOf(Date.parse(now))).toBe(day);
    expect(new Date(nextLocalDayEpoch(Date.parse(now))).toISOString()).toBe(next);
  });

  it('follow each other without a gap for a year', () => {
    process.env['TZ'] = 'Europe/Berlin';
    const start = Date.parse('2025-12-31T23:00:00Z');
    let now = start;
    for (let count = 0; count < 365; count += 1) {
      const next = nextLocalDayEpoch(now);
      expect(localDayOf(next - 1)).toBe(localDayOf(now));
      expect(localDayOf(next) > localDayOf(now)).toBe(true);
      now = next;
    }
    expect(now - start).toBe(365 * 24 * 3_600_000);
  });
});
