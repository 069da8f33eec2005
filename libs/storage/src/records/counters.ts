import type { Database } from '../database/driver.js';

/** Recomputes all counters, which triggers update afterwards. The caller holds the transaction. */
export function rebuildCounters(database: Database): void {
  database.exec(`
    DELETE FROM counters;
    INSERT INTO counters SELECT 'observations', project_id, count(*) FROM observations GROUP BY project_id;
    INSERT INTO counters SELECT outcome, 0, count(*) FROM event_ledger WHERE outcome IS NOT NULL GROUP BY outcome;
  `);
}
