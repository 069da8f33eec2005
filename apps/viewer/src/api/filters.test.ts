import { describe, expect, it } from 'vitest';
import { readAddress, writeAddress } from './address.js';
import { hasFilters, readFilters, withFilter, withoutFilter, withInstants } from './filters.js';

describe('filters in an address', () => {
  it('are read back unchanged from the address, including special characters', () => {
    const filters = { project: ['a&b=c', 'd,e'], files: ['src/ü #1.ts'], dateFrom: '2026-11-28' };
    expect(readFilters(readAddress(writeAddress(filters)))).toEqual(filters);
  });

  it('ignore invalid values and unknown names when they are read', () => {
    expect(readFilters({ project: 7, host: '', kind: ['prompt', 3], dateTo: ['x'], other: 'y' })).toEqual({
      kind: ['prompt'],
    });
    expect(readFilters({ type: ['change', 'bugfix', 'change'] })).toEqual({ type: ['change', 'bugfix'] });
    expect(hasFilters(readFilters({ other: 'y' }))).toBe(false);
  });

  it('are added once and removed one at a time', () => {
    const one = withFilter(withFilter({}, 'type', 'bugfix'), 'type', 'bugfix');
    expect(one).toEqual({ type: ['bugfix'] });
    expect(withFilter(one, 'dateFrom', '2026-11-28')).toEqual({ ...one, dateFrom: '2026-11-28' });
    expect(withoutFilter({ type: ['bugfix', 'feature'] }, 'type', 'bugfix')).toEqual({ type: ['feature'] });
    expect(withoutFilter(one, 'type', 'bugfix')).toEqual({});
    expect(withoutFilter({ dateTo: '2026-11-28' }, 'dateTo', '2026-11-28')).toEqual({});
  });
});

it('R06: sends the start and end of days in the time zone of the browser to the worker', () => {
  const zone = process.env['TZ'];
  process.env['TZ'] = 'America/Los_Angeles';
  try {
    expect(withInstants({ dateFrom: '2026-11-26', dateTo: '2026-11-26', type: ['bugfix'] })).toEqual({
      dateFrom: '2026-11-26T08:00:00.000Z',
      dateTo: '2026-11-27T07:59:59.999Z',
      type: ['bugfix'],
    });
  } finally {
    if (zone === undefined) delete process.env['TZ'];
    else process.env['TZ'] = zone;
  }
});
