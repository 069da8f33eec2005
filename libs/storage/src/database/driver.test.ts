import { createRequire } from 'node:module';
import { expect, it } from 'vitest';
import { driverCandidates, loadDriver } from './driver.js';

it('prefers the driver with binaries for Node 22 and later, and falls back to the other', () => {
  expect(driverCandidates('20.19.0')).toEqual(['better-sqlite3']);
  expect(driverCandidates('v22.12.0')).toEqual(['better-sqlite3-n22', 'better-sqlite3']);
  expect(driverCandidates('26.1.0')).toEqual(['better-sqlite3-n22', 'better-sqlite3']);
});

it('B031: a driver that cannot be loaded is named with the fix in one line', () => {
  const broken = createRequire(import.meta.url);
  const load = Object.assign(
    () => {
      throw new Error('Could not locate the bindings file');
    },
    { resolve: broken.resolve },
  ) as unknown as NodeJS.Require;
  const loading = () => loadDriver(load);
  expect(loading).toThrow(expect.objectContaining({ code: 'storage/driver-unavailable' }));
  expect(loading).toThrow(/^[^\n]*npm rebuild better-sqlite3[^\n]*$/);
});

it('loads the one that works here', () => {
  const driver = loadDriver();
  const database = driver.open(':memory:', {});
  expect(database.prepare('SELECT 1').pluck().get()).toBe(1);
  database.close();
});
