import type { FileIdentity } from './database/database-file.js';
import { WAL_LIMIT_BYTES } from './database/open-connection.js';
import type { OpenDatabase, StorageContext } from './open-database.js';
import { formatQuarantineNotice, type QuarantineNotice } from './recovery/quarantined-databases.js';
import type { StorageDiagnostic, StorageHealth } from './storage.js';
import type { StorageError } from './storage-error.js';

/** Another program replaced or removed files of the open database. */
export interface Replacement {
  atEpoch: number;
  replaced: keyof FileIdentity;
  /**
   * Backup with the content of the previous database. Null when nothing was lost or the previous database was
   * damaged.
   */
  savedAs: string | null;
}

/** Several times the size to which SQLite truncates the log. */
const LARGE_LOG_BYTES = 2 * WAL_LIMIT_BYTES;

/** @returns problems of the open database with their fix, most important first */
export function diagnosticsOf(
  context: StorageContext,
  { repairs, journalMode }: OpenDatabase,
  facts: Pick<StorageHealth, 'recoveries' | 'quarantined' | 'walBytes'> & {
    failure: StorageError | null;
    replacement: Replacement | null;
  },
): readonly StorageDiagnostic[] {
  const known = new Map(facts.recoveries.map((recovery) => [recovery.quarantinedAs, recovery]));
  const kept = [...new Set([...known.keys(), ...facts.quarantined])].map((name) =>
    formatQuarantineNotice(name, known.get(name)),
  );
  const { failure, replacement } = facts;
  return [
    ...(failure ? [failureDiagnostic(failure.message)] : []),
    ...(replacement ? [replacementDiagnostic(context.file, replacement)] : []),
    ...kept.map(quarantineDiagnostic),
    ...(facts.walBytes > LARGE_LOG_BYTES ? [largeLogDiagnostic(facts.walBytes)] : []),
    ...repairs.map((repair) => repairDiagnostic(`the schema was repaired: ${repair}`)),
    ...(journalMode === 'delete' ? [slowJournalDiagnostic(context.fileSystem.name)] : []),
  ];
}

const failureDiagnostic = (message: string): StorageDiagnostic => ({
  code: 'database-failed',
  severity: 'error',
  message,
  action: 'Run: claude-mem doctor',
  notice: message,
});

const replacementDiagnostic = (file: string, replacement: Replacement): StorageDiagnostic => {
  const message = describeReplacement(file, replacement);
  const action =
    replacement.savedAs === null
      ? 'No action necessary.'
      : `To go back to the former content: run "claude-mem stop", copy ${replacement.savedAs} to ${file}, and run "claude-mem start".`;
  return {
    code: 'database-replaced',
    severity: replacement.replaced === 'log' ? 'info' : 'warning',
    message,
    action,
    notice: `${message} ${action}`,
  };
};

export function describeReplacement(file: string, { replaced, savedAs, atEpoch }: Replacement): string {
  const at = new Date(atEpoch).toISOString();
  if (replaced === 'log')
    return `Another program removed the write-ahead log of ${file} (${at}). The database was reopened; nothing is missing.`;
  const former =
    savedAs === null
      ? 'The former content was damaged and could not be saved.'
      : `The former content is saved as ${savedAs}.`;
  return `Another program replaced or removed ${file} (${at}). The database was reopened. ${former}`;
}

const quarantineDiagnostic = ({ isComplete, text, advice }: QuarantineNotice): StorageDiagnostic => ({
  code: 'database-kept-aside',
  severity: isComplete ? 'info' : 'warning',
  message: text,
  action: advice,
  notice: `${text}. ${advice}`,
});

const largeLogDiagnostic = (bytes: number): StorageDiagnostic => {
  const message = `The write-ahead log of the database has ${Math.round(bytes / 2 ** 20)} MiB. It cannot be cut while another program reads the database.`;
  const action = 'Close the program that has claude-mem.db open, for example a sqlite3 shell.';
  return { code: 'database-large-log', severity: 'warning', message, action, notice: `${message} ${action}` };
};

const repairDiagnostic = (message: string): StorageDiagnostic => ({
  code: 'database-repaired',
  severity: 'info',
  message,
  action: 'No action necessary: the schema is complete.',
  notice: message,
});

const slowJournalDiagnostic = (fileSystem: string): StorageDiagnostic => ({
  code: 'database-slow-journal',
  severity: 'info',
  message: `The database is on ${fileSystem}, where the WAL journal is not safe. The slower rollback journal is used.`,
  action: 'A data folder on a local disk is faster: set CLAUDE_MEM_DATA_DIR in the environment.',
  notice: `The database is on ${fileSystem}, where the WAL journal is not safe. The slower rollback journal is used. A local disk is faster.`,
});
