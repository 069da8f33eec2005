import { expect, it, onTestFinished } from 'vitest';
import { loadDriver } from './database/driver.js';
import { withLazyStatements } from './lazy-statements.js';

function openDatabase() {
  const database = loadDriver().open(':memory:', {});
  onTestFinished(() => void database.close());
  return { database, lazy: withLazyStatements(database) };
}

it('compiles a statement on its first use', () => {
  const { database, lazy } = openDatabase();
  const rows = lazy.prepare('SELECT a FROM numbers');
  const values = lazy.prepare('SELECT a FROM numbers').pluck();
  database.exec('CREATE TABLE numbers (a INTEGER); INSERT INTO numbers VALUES (7)');
  expect(rows.all()).toEqual([{ a: 7 }]);
  expect([values.get(), values.all()]).toEqual([7, [7]]);
});

it('throws on use, not on preparation, when a statement cannot be compiled', () => {
  const statement = openDatabase().lazy.prepare('SELECT a FROM missing');
  expect(() => statement.get()).toThrow('no such table: missing');
});

it('rolls back lazy statements when a transaction of the connection fails', () => {
  const { database, lazy } = openDatabase();
  database.exec('CREATE TABLE numbers (a INTEGER)');
  const insert = lazy.prepare('INSERT INTO numbers VALUES (?)');
  const insertAndFail = lazy.transaction(() => {
    insert.run(1);
    throw new Error('undone');
  });
  expect(insertAndFail).toThrow('undone');
  expect(database.prepare('SELECT count(*) FROM numbers').pluck().get()).toBe(0);
});
