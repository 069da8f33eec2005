import { expect, it } from 'vitest';
import { driverCandidates, loadDriver } from './driver.js';

it('prefers the precompiled driver on Node.js 22 and newer', () => {
  expect(driverCandidates('20.19.0')).toEqual(['better-sqlite3']);
  expect(driverCandidates('v22.12.0')).toEqual(['better-sqlite3-n22', 'better-sqlite3']);
  expect(driverCandidates('26.1.0')).toEqual(['better-sqlite3-n22', 'better-sqlite3']);
});

it.each([
  ['npm rebuild better-sqlite3', new Error('Could not locate the bindings file')],
  ['npm install', Object.assign(new Error('Cannot find module'), { code: 'MODULE_NOT_FOUND' })],
])('B031: suggests "%s" in one line when loading a driver fails with: %s', (command, failure) => {
  const load = (() => {
    throw failure;
  }) as unknown as NodeJS.Require;
  expect(() => loadDriver(load)).toThrow(expect.objectContaining({ code: 'storage/driver-unavailable' }));
  expect(() => loadDriver(load)).toThrow(new RegExp(`^[^\\n]*run "${command}"[^\\n]*$`));
});

it('loads a driver that opens a database', () => {
  const driver = loadDriver();
  const database = driver.open(':memory:', {});
  expect(database.prepare('SELECT 1').pluck().get()).toBe(1);
  database.close();
});
