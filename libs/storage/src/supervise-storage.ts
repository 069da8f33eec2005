import { existsSync, rmSync } from 'node:fs';
import path from 'node:path';
import { messageOf } from '@claude-mem/core';
import { isFullTextDamage, mergeFullText, repairDocuments } from '@claude-mem/lexical-index';
import { identifyFiles, sizeOf, type FileIdentity } from './database/database-file.js';
import { BUSY_TIMEOUT_MS } from './database/open-connection.js';
import { rewriteFile } from './database/rewrite-file.js';
import { updateStatistics } from './database/statistics.js';
import type { Database } from './database/driver.js';
import { requeueDamagedVectors } from './vectors/requeue-damaged-vectors.js';
import { repairSchema } from './migrations/check-schema.js';
import { listBackups, pruneBackups, removeUnfinishedBackups, writeBackup } from './recovery/backups.js';
import { checkInBackground } from './recovery/check-file.js';
import { listQuarantined, formatQuarantineNotice } from './recovery/quarantined-databases.js';
import { recoverFile } from './recovery/recover-file.js';
import { replaceByCopy } from './recovery/replace-by-copy.js';
import { openDatabase, type OpenDatabase, type StorageContext } from './open-database.js';
import type { Storage, StorageHealth } from './storage.js';
import { describeReplacement, diagnosticsOf, type Replacement } from './storage-diagnostics.js';
import {
  StorageError,
  isBusy,
  isCorruption,
  isMoved,
  isSchemaDamage,
  toStorageError,
} from './storage-error.js';

const DAY_MS = 24 * 60 * 60 * 1_000;
const VACUUM_STEP_PAGES = 256;
const WAIT_MS = 400;
/** Wait before another recovery after a failed one, for example because the disk was full. */
const RECOVERY_RETRY_MS = 60_000;

/** Supervises an open database: recovers it after damage, creates backups, and limits its size. */
export function superviseStorage(context: StorageContext, opened: OpenDatabase): Storage {
  const { file, backupsDir, backupKeep, clock, logger, driver } = context;
  const ending = new AbortController();
  let current = opened;
  /** The last recovery failed. Until the retry, every operation fails. */
  let failure: { error: StorageError; reason: string; retryAtEpoch: number } | null = null;
  let recovering: Promise<void> | null = null;
  let rewriting: Rewriting | null = null;
  let lastCheckEpoch: number | null = opened.isChecked ? clock.now() : null;
  let closing: Promise<void> | null = null;
  removeUnfinishedBackups(backupsDir);
  let quarantined = listQuarantined(file);
  let lastBackupEpoch = listBackups(backupsDir)[0]?.epoch ?? null;
  const recoveries = [...opened.recoveries];
  let replacement: Replacement | null = null;
  /** Set when the previous database is saved and closed. Takes effect when the new file is open. */
  let closedReplacement: Replacement | null = null;
  let reopenProblem: StorageError | null = null;

  /** The files that another program replaced or removed since the opening. Null when there are none. */
  const findReplaced = (): keyof FileIdentity | null => {
    if (!current.database.open) return 'database';
    if (current.files === null) return null;
    const found = identifyFiles(file);
    if (found.database !== current.files.database) return 'database';
    return found.log === current.files.log ? null : 'log';
  };

  /** SQLite continues to write to removed files, and other programs would not see these changes. */
  const reopen = (replaced: keyof FileIdentity): Promise<void> => {
    recovering ??= reopenFiles(replaced)
      .catch((error: unknown) => {
        const known = toStorageError(error, file);
        const message = `${file} was replaced and cannot be opened again: ${messageOf(error)}`;
        reopenProblem = StorageError.isInstance(known)
          ? known
          : new StorageError('storage/unreadable', message, { cause: error, data: { file } });
        throw reopenProblem;
      })
      .finally(() => (recovering = null));
    return recovering;
  };

  const reopenFiles = async (replaced: keyof FileIdentity) => {
    requireFolder(file);
    const { database, files } = current;
    if (database.open) {
      const now = clock.now();
      let savedAs: string | null = null;
      if (replaced === 'log') await replaceByCopy(database, file);
      else savedAs = await writeBackup({ driver, database, folder: backupsDir, now });
      database.close();
      closedReplacement = { atEpoch: now, replaced, savedAs };
      if (replaced === 'log' || identifyFiles(file).log === files?.log)
        for (const side of ['-wal', '-shm']) rmSync(file + side, { force: true });
    }
    const { recoveries: added, ...reopened } = await openDatabase(context);
    recoveries.push(...added);
    current = { ...reopened, recoveries };
    reopenProblem = null;
    replacement = closedReplacement;
    if (replacement) logger.warn({ file, ...replacement }, describeReplacement(file, replacement));
  };

  const recover = (reason: string): Promise<void> => {
    recovering ??= replaceDatabase(reason).finally(() => (recovering = null));
    return recovering;
  };

  const replaceDatabase = async (reason: string) => {
    try {
      const { database } = current;
      const now = clock.now();
      const recovery = await recoverFile({ ...context, now, reason, close: () => void database.close() });
      recoveries.push(recovery);
      const { recoveries: _, ...replaced } = await openDatabase(context, [recovery]);
      current = { ...replaced, recoveries };
    } catch (cause) {
      throw recoveryFailed(cause, reason);
    } finally {
      quarantined = listQuarantined(file);
    }
  };

  const recoveryFailed = (cause: unknown, reason: string): StorageError => {
    const error = new StorageError(
      'storage/corrupt',
      `${file} is damaged and could not be replaced: ${messageOf(cause)}. The next attempt follows in a minute`,
      { cause, data: { file } },
    );
    failure = { error, reason, retryAtEpoch: clock.now() + RECOVERY_RETRY_MS };
    logger.error({ file, reason }, error.message);
    return error;
  };

  /** Opening the file recovers it. */
  const retryRecovery = (reason: string): Promise<void> => {
    const openAgain = async () => {
      current.database.close();
      const { recoveries: added, ...opened } = await openDatabase(context);
      recoveries.push(...added);
      current = { ...opened, recoveries };
      failure = null;
      quarantined = listQuarantined(file);
    };
    recovering ??= openAgain()
      .catch((cause: unknown) => {
        throw recoveryFailed(cause, reason);
      })
      .finally(() => (recovering = null));
    return recovering;
  };

  /** The records are intact, so no backup is needed. */
  const rebuildIndex = async (reason: string) => {
    logger.warn({ file, reason }, 'The search index is damaged and is being rebuilt');
    await current.index.rebuild();
  };

  /** Restores objects of the schema that another program removed. Returns whether any was missing. */
  const restoreSchema = (reason: string): boolean => {
    const repairs = repairSchema(current.database, file, driver, context.migrations);
    if (repairs.length === 0) return false;
    logger.warn({ file, reason, repairs }, 'the schema was repaired');
    current = { ...current, repairs: [...current.repairs, ...repairs] };
    return true;
  };

  const rebuildOrRecover = async (reason: string) => {
    try {
      await rebuildIndex(reason);
    } catch (error) {
      if (!isCorruption(error) && !isFullTextDamage(error)) throw error;
      await recover(messageOf(error));
    }
  };

  const run = async <Value>(
    operation: () => Promise<Value>,
    { isWaiting = true }: { isWaiting?: boolean } = {},
  ): Promise<Value> => {
    if (recovering)
      await rejectWhenBusy(recovering, WAIT_MS, `${file} was damaged and is being recovered; try again`);
    if (failure && clock.now() < failure.retryAtEpoch) throw failure.error;
    if (closing) throw new StorageError('storage/closed', `${file} was closed`, { data: { file } });
    if (failure)
      await rejectWhenBusy(retryRecovery(failure.reason), WAIT_MS, `${file} is being recovered; try again`);
    const replaced = findReplaced();
    // A folder that was moved away and back contains the same files.
    if (replaced === null) reopenProblem = null;
    else
      await rejectWhenBusy(
        reopen(replaced),
        WAIT_MS,
        `${file} was replaced and is being reopened; try again`,
      );
    try {
      const value = await operation();
      const replacedMeanwhile = findReplaced();
      if (replacedMeanwhile === null) return value;
      // The counter in the copy is used when the copy replaces the file.
      if (replacedMeanwhile === 'log') return await reopen('log').then(() => value);
      reopen(replacedMeanwhile).catch(() => undefined);
      throw new StorageError('storage/busy', `${file} was replaced and is being reopened; try again`, {
        data: { file },
      });
    } catch (error) {
      if (rewriting !== null && isBusy(error)) {
        const { over, begunAt } = rewriting;
        const left = Math.max(0, begunAt + WAIT_MS - performance.now());
        await (isWaiting ? over : rejectWhenBusy(over, left, `${file} is being rewritten; try again`));
        return run(operation, { isWaiting });
      }
      if (isFullTextDamage(error)) await rebuildOrRecover(messageOf(error));
      else if (isCorruption(error)) await recover(messageOf(error));
      else if (isMoved(error)) await reopen('database');
      else if (!isSchemaDamage(error) || !restoreSchema(messageOf(error))) throw toStorageError(error, file);
      return operation().catch((again: unknown) => {
        throw toStorageError(again, file);
      });
    }
  };

  const check = async () => {
    const { database } = current;
    const damage = await checkInBackground(driver, file, { signal: ending.signal });
    if (database !== current.database) return;
    if (damage.file.length > 0) return recover(damage.file.join('; '));
    if (damage.index.length > 0) await rebuildOrRecover(damage.index.join('; '));
    else await current.index.repair();
    repairDocuments(current.database);
    await requeueDamagedVectors(current.database);
    lastCheckEpoch = clock.now();
  };

  const writeAndPrune = async (): Promise<string> => {
    const now = clock.now();
    const written = await writeBackup({
      driver,
      database: current.database,
      folder: backupsDir,
      now,
    });
    if (written === null) {
      const damage = await checkInBackground(driver, file, { signal: ending.signal });
      if (damage.file.length === 0)
        throw new StorageError(
          'storage/write-failed',
          `the backup of ${file} was damaged, and is tried again`,
          {
            data: { file },
          },
        );
      await recover('a backup of it was damaged');
      throw new StorageError('storage/corrupt', `${file} was damaged and has been replaced`, {
        data: { file },
      });
    }
    lastBackupEpoch = now;
    pruneBackups(backupsDir, backupKeep);
    return written;
  };

  /** Backups, checks and maintenance run one after the other. */
  let lastTask: Promise<unknown> = Promise.resolve();
  const inTurn = <Value>(task: () => Promise<Value>): Promise<Value> => {
    const next = lastTask.then(() => run(task));
    lastTask = next.catch(() => undefined);
    return next;
  };

  /** Reads continue meanwhile; writes wait. */
  const rewrite = async (): Promise<boolean> => {
    const { database, journalMode } = current;
    const isCut = rewriteFile({ driver, database, journalMode }, { signal: ending.signal });
    const over = isCut.then(
      () => undefined,
      () => undefined,
    );
    rewriting = { over, begunAt: performance.now() };
    try {
      return await isCut;
    } finally {
      rewriting = null;
    }
  };

  const isDue = (epoch: number | null) => epoch === null || clock.now() - epoch >= DAY_MS;

  const maintain = async () => {
    restoreSchema('it was incomplete during maintenance');
    if (isDue(lastCheckEpoch)) await check();
    if (isDue(lastBackupEpoch)) await writeAndPrune();
    await current.index.compact();
    while (!(await current.index.step({ limit: 100, foldAt: 1 })).done) {
      if (ending.signal.aborted) return;
      await new Promise((resolve) => setImmediate(resolve));
    }
    await returnFreeSpace(() => current.database, ending.signal);
  };

  if (!opened.isChecked)
    void inTurn(check).catch((error: unknown) => {
      if (!ending.signal.aborted)
        logger.warn({ file, error: messageOf(error) }, 'the database could not be checked');
    });

  const recoveryNotice = (): string | null => {
    const last = recoveries.at(-1);
    if (last === undefined) return null;
    const { text, advice } = formatQuarantineNotice(last.quarantinedAs, last);
    return `${text}. ${advice}`;
  };

  const health = (): StorageHealth => {
    const walBytes = sizeOf(`${file}-wal`);
    const problem = failure?.error ?? reopenProblem;
    const diagnostics = diagnosticsOf(context, current, {
      recoveries,
      quarantined,
      failure: problem,
      replacement,
      walBytes,
    });
    const isDegraded = recoveries.length > 0 || current.repairs.length > 0;
    return {
      status: problem ? 'failed' : isDegraded ? 'degraded' : 'ok',
      notices: diagnostics.map(({ notice }) => notice),
      diagnostics,
      file,
      journalMode: current.journalMode,
      fileSystem: context.fileSystem.name,
      driver: driver.name,
      schemaVersion: context.migrations.length,
      databaseBytes: sizeOf(file),
      walBytes,
      lastCheckEpoch,
      lastBackupEpoch,
      recoveries: [...recoveries],
      recoveryNotice: recoveryNotice(),
      quarantined,
    };
  };

  const close = (): Promise<void> => {
    closing ??= (async () => {
      ending.abort(new StorageError('storage/closed', `${file} was closed`, { data: { file } }));
      await lastTask;
      if (recovering) await recovering.catch(() => undefined);
      if (current.database.open) current.database.close();
    })();
    return closing;
  };

  return {
    store: {
      ...guarded(() => current.store, run),
      // The host waits for the response of the hook. If the event is rejected in time, it stays in the spool.
      capture: (events) => run(() => current.store.capture(events), { isWaiting: false }),
      eraseForgotten: () => inTurn(() => current.erase(rewrite)),
    },
    messages: guarded(() => current.messages, run),
    index: {
      ...guarded(() => current.index, run),
      // Called when a reader found damage, which may be a table that another program removed.
      repair: () =>
        run(() => {
          restoreSchema('a reader reported damage');
          return current.index.repair();
        }),
    },
    vectors: guarded(() => current.vectors, run),
    health,
    backup: () => inTurn(writeAndPrune),
    maintain: () => inTurn(maintain),
    close,
    [Symbol.asyncDispose]: close,
  };
}

interface Rewriting {
  over: Promise<void>;
  begunAt: number;
}

/**
 * Rejects after `ms` milliseconds if `over` is still pending. Saving a large file takes long, so new events are rejected
 * instead of blocked.
 */
async function rejectWhenBusy(over: Promise<void>, ms: number, otherwise: string): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const moment = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new StorageError('storage/busy', otherwise)), ms);
  });
  await Promise.race([over, moment]).finally(() => clearTimeout(timer));
}

/** Returns the port with methods that use the currently open database and run through `run`. */
function guarded<Port extends object>(
  port: () => Port,
  run: <Value>(operation: () => Promise<Value>) => Promise<Value>,
): Port {
  type Method = (...parameters: unknown[]) => Promise<unknown>;
  const call =
    (name: string): Method =>
    (...parameters) =>
      run(() => (port() as Record<string, Method>)[name]?.(...parameters) ?? Promise.resolve());
  return Object.fromEntries(Object.keys(port()).map((name) => [name, call(name)])) as unknown as Port;
}

/** Returns free pages to the file system in small steps, then truncates the log unless a reader needs it. */
async function returnFreeSpace(database: () => Database, signal: AbortSignal): Promise<void> {
  mergeFullText(database(), 500);
  for (;;) {
    if (signal.aborted) return;
    const free = database().pragma('freelist_count', { simple: true }) as number;
    if (free === 0) break;
    database().exec(`PRAGMA incremental_vacuum(${VACUUM_STEP_PAGES})`);
    if ((database().pragma('freelist_count', { simple: true }) as number) >= free) break;
    await new Promise((resolve) => setImmediate(resolve));
  }
  updateStatistics(database());
  database().pragma('busy_timeout = 0');
  try {
    database().pragma('wal_checkpoint(TRUNCATE)');
  } finally {
    database().pragma(`busy_timeout = ${BUSY_TIMEOUT_MS}`);
  }
}

/**
 * Rejects when the folder is missing, so that no new database is created. The folder may return with the database,
 * for example on a removable disk.
 */
function requireFolder(file: string): void {
  if (existsSync(path.dirname(file))) return;
  throw new StorageError('storage/unreadable', `the folder of ${file} was removed`, { data: { file } });
}
