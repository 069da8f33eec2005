import { afterEach, expect, it } from 'vitest';
import { toInstant } from './parse-moment.js';

const zone = process.env['TZ'];
afterEach(() => {
  if (zone === undefined) delete process.env['TZ'];
  else process.env['TZ'] = zone;
});

it.each([
  ['Asia/Tokyo', '2026-11-25T15:00:00.000Z', '2026-11-26T14:59:59.999Z'],
  ['America/Los_Angeles', '2026-11-26T08:00:00.000Z', '2026-11-27T07:59:59.999Z'],
  ['UTC', '2026-11-26T00:00:00.000Z', '2026-11-26T23:59:59.999Z'],
])('R06: reads a date as the day of the user in %s', (timeZone, start, end) => {
  process.env['TZ'] = timeZone;
  expect(toInstant('2026-11-26', 'start')).toBe(start);
  expect(toInstant('2026-11-26', 'end')).toBe(end);
});

it('R06: keeps a time with a zone, and text that is not a date', () => {
  process.env['TZ'] = 'Asia/Tokyo';
  expect(toInstant('2026-11-26T10:00Z', 'start')).toBe('2026-11-26T10:00:00.000Z');
  for (const text of ['soon', '123456789', '#12', 'S12']) expect(toInstant(text, 'start')).toBe(text);
  expect(toInstant('2026-02-30', 'end')).toBe('2026-02-30');
});
