import type { Database } from '../database/driver.js';

/** One forward step. It runs in a transaction of its own and is never changed once released. */
export interface Migration {
  /** `0001-what-it-does`; the order of names is the order of steps. */
  name: string;
  up(database: Database): void;
}
