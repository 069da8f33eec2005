import { afterEach, beforeEach, expect, it } from 'vitest';
import { toSearch } from '../pages/search/search-query.js';
import { feedQuery } from './feed-query.js';

const zone = process.env['TZ'];
beforeEach(() => void (process.env['TZ'] = 'America/Los_Angeles'));
afterEach(() => {
  if (zone === undefined) delete process.env['TZ'];
  else process.env['TZ'] = zone;
});

it.each([
  ['the feed', feedQuery],
  ['the search', (filters: Parameters<typeof feedQuery>[0]) => toSearch('token', filters)],
])('R06: sends %s the start and end of days in the time zone of the browser', (_, queryOf) => {
  expect(queryOf({ dateFrom: '2026-11-26', dateTo: '2026-11-26' })).toMatchObject({
    dateFrom: '2026-11-26T08:00:00.000Z',
    dateTo: '2026-11-27T07:59:59.999Z',
  });
});
