import type { Database } from '../database/driver.js';

/** One forward migration. It runs in its own transaction and is never changed after a release. */
export interface Migration {
  /** `0001-what-it-does`. Migrations run in the order of their names. */
  name: string;
  up(database: Database): void;
}
