import { existsSync, lstatSync, statSync } from 'node:fs';
import { messageOf } from '@claude-mem/core';
import { StorageError, listQuarantined, listOrphanedLogs, formatQuarantineNotice } from '@claude-mem/storage';
import { loadDriver } from '@claude-mem/storage/driver';
import { formatCount } from '../format-count.js';
import { openOfflineMemory } from '../offline-memory.js';
import { countSpool } from '../commands/status.js';
import { DATABASE_FIXES } from '../list-memory-obstacles.js';
import { findWriteProblem } from '../find-write-problem.js';
import { fail, ok, warn, type Check } from './check.js';

export const dataDirCheck: Check = {
  title: 'data directory',
  run({ loaded }) {
    const { paths } = loaded;
    const problem = findWriteProblem(paths.dataDir) ?? findWriteProblem(paths.spoolDir);
    if (problem !== null) return (problem.isBlocking ? fail : warn)(problem.message, problem.fix);
    if (!existsSync(paths.dataDir)) return ok(`${paths.dataDir} (created at the first start)`);
    if (process.platform === 'win32') return ok(paths.dataDir);
    const owner = statSync(paths.dataDir).uid;
    if (owner !== process.getuid?.())
      return fail(`${paths.dataDir} belongs to another user`, `Run: chown -R "$(id -un)" '${paths.dataDir}'`);
    const lock = lstatSync(paths.startupLock, { throwIfNoEntry: false });
    if (lock && (!lock.isDirectory() || lock.uid !== owner))
      return warn(
        `${paths.startupLock} does not belong to you. Hooks may fail to start the worker`,
        `Run: mv '${paths.startupLock}' '${paths.startupLock}.old'`,
      );
    const files = [
      paths.dataDir,
      paths.spoolDir,
      paths.logsDir,
      paths.database,
      paths.settingsFile,
      paths.tokenFile,
    ];
    const open = files.filter((file) => existsSync(file) && (statSync(file).mode & 0o077) !== 0);
    if (open.length === 0) return ok(`${paths.dataDir}, readable only by its owner`);
    return warn(`other users may read ${open.join(', ')}`, `Run: chmod -R go-rwx '${paths.dataDir}'`);
  },
};

export const databaseCheck: Check = {
  title: 'database',
  async run(context) {
    const { database } = context.loaded.paths;
    if (!existsSync(database)) return ok('none yet');
    try {
      await using memory = openOfflineMemory(context);
      const observations = formatCount((await memory?.store.stats())?.observations ?? 0, 'observation');
      if (findWriteProblem(context.loaded.paths.dataDir)?.isBlocking)
        return ok(`${observations}; not checked, because the folder cannot be written`);
      const file = loadDriver().open(database, { readonly: true });
      const result = file.pragma('quick_check(1)', { simple: true });
      file.close();
      if (result !== 'ok')
        return fail(
          `is damaged: ${String(result)}`,
          'Run: claude-mem restart. Readable records are copied to a new database. Other records are restored from the newest valid backup, ' +
            'and the damaged file is kept.',
        );
      const [log, ...more] = listOrphanedLogs(database);
      if (log !== undefined)
        return warn(
          `${observations}, check passed, but ${[log, ...more].join(' and ')} contain${more.length > 0 ? '' : 's'} changes of a database that was moved or removed`,
          'Move the file to that database and rename it to end in -wal, or remove it if you do not need that database.',
        );
      const quarantined = listQuarantined(database).map((file) => formatQuarantineNotice(file));
      const incomplete = quarantined.filter(({ isComplete }) => !isComplete);
      const [first] = incomplete.length > 0 ? incomplete : quarantined;
      if (first === undefined) return ok(`${observations}, check passed`);
      const texts = (incomplete.length > 0 ? incomplete : quarantined).map(({ text }) => text);
      return warn(`${observations}, check passed, but ${texts.join('; ')}`, first.advice);
    } catch (error) {
      const code = StorageError.isInstance(error) ? error.code : '';
      return fail(
        messageOf(error),
        DATABASE_FIXES[code] ?? 'Run: claude-mem restart, then claude-mem logs --level warn',
      );
    }
  },
};

export const spoolCheck: Check = {
  title: 'spool',
  run({ loaded, health, isHanging }) {
    const { waiting, rejected } = countSpool(loaded.paths);
    if (waiting > 0 && !health?.ready)
      return warn(
        `${formatCount(waiting, 'event')} waiting for the worker`,
        `Run: claude-mem ${isHanging ? 'restart' : 'start'}`,
      );
    if (waiting > 100)
      return warn(`${waiting} events wait while the worker runs`, 'Run: claude-mem logs --level warn');
    if (rejected === 0) return ok('empty');
    return warn(
      `${formatCount(rejected, 'event')} could not be read`,
      `Check ${loaded.paths.rejectedDir} and delete files that you do not need.`,
    );
  },
};
