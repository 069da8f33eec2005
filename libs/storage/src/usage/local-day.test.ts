import { afterEach, describe, expect, it, vi } from 'vitest';
import { localDay, nextLocalDay } from './local-day.js';

afterEach(() => void vi.unstubAllEnvs());

const HOUR = 3_600_000;

describe('days of the meter', () => {
  it.each([
    ['UTC', '2026-03-28T23:30:00Z', '2026-03-28', '2026-03-29T00:00:00Z'],
    ['Asia/Kolkata', '2026-03-28T23:30:00Z', '2026-03-29', '2026-03-29T18:30:00Z'],
    ['Pacific/Honolulu', '2026-03-28T05:00:00Z', '2026-03-27', '2026-03-28T10:00:00Z'],
    ['Europe/Berlin', '2026-03-29T00:30:00Z', '2026-03-29', '2026-03-29T22:00:00Z'],
    ['Europe/Berlin', '2026-10-25T00:30:00Z', '2026-10-25', '2026-10-25T23:00:00Z'],
    // there is no midnight on this day: clocks go from 23:59 to 1:00
    ['America/Asuncion', '2024-10-05T12:00:00Z', '2024-10-05', '2024-10-06T04:00:00Z'],
  ])('in %s at %s', (zone, now, day, next) => {
    vi.stubEnv('TZ', zone);
    expect(localDay(Date.parse(now))).toBe(day);
    expect(new Date(nextLocalDay(Date.parse(now))).toISOString()).toBe(new Date(next).toISOString());
  });

  it('last 23, 24 or 25 hours, and follow each other without a gap', () => {
    vi.stubEnv('TZ', 'Europe/Berlin');
    const lengths = new Map<number, number>();
    let now = Date.parse('2025-12-31T23:00:00Z');
    for (let count = 0; count < 365; count += 1) {
      const next = nextLocalDay(now);
      expect(localDay(next - 1)).toBe(localDay(now));
      expect(localDay(next) > localDay(now)).toBe(true);
      const hours = (next - now) / HOUR;
      lengths.set(hours, (lengths.get(hours) ?? 0) + 1);
      now = next;
    }
    expect([...lengths].sort()).toEqual([
      [23, 1],
      [24, 363],
      [25, 1],
    ]);
  });
});
