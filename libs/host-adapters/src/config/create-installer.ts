import { isAbsolute } from 'node:path';
import type { HostAdapter, HostPlace, InstallOptions, InstallResult, OwnConfig } from '../host-adapter.js';
import { HostAdaptersError } from '../host-adapters-error.js';
import { brokenConfig, readConfig, writeConfig } from './config-file.js';
import { NOTHING, type ConfigPart, type OwnEntries } from './config-part.js';
import { removeEmptyFolders } from './remove-empty-folders.js';

/** How often a plan is made anew because the host wrote a file meanwhile. */
const MOST_PLANS = 5;

/**
 * `install`, `uninstall` and `inspect` for a host, of the parts that stand in its files. All files are read and changed in memory
 * before one is written, so that a broken one leaves the others as they are; nothing is written when nothing changes.
 */
export function createInstaller(
  parts: readonly ConfigPart[],
): Pick<HostAdapter, 'install' | 'uninstall' | 'inspect'> {
  const filesOf = (place: HostPlace) => [...new Set(parts.map((part) => part.fileOf(place)))];
  const partsIn = (file: string, place: HostPlace) => parts.filter((part) => part.fileOf(place) === file);

  const planInstall = (options: InstallOptions): InstallResult[] =>
    filesOf(options).map((file) => {
      const inFile = partsIn(file, options);
      const before = readConfig(file);
      const { text, own: had, kept } = removeAll(inFile, before, file);
      const after = inFile.reduce<string | null>(
        (state, part) => checked(part.add(state, options, kept.get(part)), file).text,
        text,
      );
      const { own } = removeAll(inFile, after, file);
      return { change: changeOf({ before, after, had, has: own }), file, before, after, ...own };
    });
  const planUninstall = (place: HostPlace): InstallResult[] =>
    filesOf(place).map((file) =>
      orRefused(file, () => {
        const before = readConfig(file);
        const { text, own } = removeAll(partsIn(file, place), before, file);
        const change = isNothing(own) ? 'absent' : 'removed';
        return { change, file, before, after: change === 'absent' ? before : text, ...own };
      }),
    );

  return {
    async install({ dryRun = false, ...options }) {
      checkPaths(options);
      const results = planFresh(() => planInstall(options));
      if (!dryRun) writeAll(results, options);
      return results;
    },
    async uninstall({ dryRun = false, ...place }) {
      const results = planFresh(() => planUninstall(place));
      if (dryRun) return results;
      return results.map((result) =>
        orRefused(result.file, () => {
          write(result, place);
          return result;
        }),
      );
    },
    async inspect(place) {
      return planUninstall(place).map(({ change: _, before: __, after: ___, ...own }): OwnConfig => own);
    },
  };
}

/** A plan whose files are still as they were when it was made. Hosts write their files while they run. */
function planFresh(plan: () => InstallResult[]): InstallResult[] {
  let results = plan();
  for (let count = 1; count < MOST_PLANS && !results.every(isFresh); count += 1) results = plan();
  return results;
}

const isFresh = ({ file, before, change }: InstallResult) =>
  change === 'refused' || readConfig(file) === before;

/** All files or none. */
function writeAll(results: readonly InstallResult[], place: HostPlace): void {
  const written: InstallResult[] = [];
  try {
    for (const result of results) {
      write(result, place);
      written.push(result);
    }
  } catch (error) {
    for (const { file, before, after } of written.toReversed())
      write({ file, before: after, after: before }, place);
    throw error;
  }
}

function write(
  { file, before, after }: Pick<InstallResult, 'file' | 'before' | 'after'>,
  place: HostPlace,
): void {
  if (after === before) return;
  writeConfig(file, after);
  if (after === null) removeEmptyFolders(file, place);
}

function orRefused(file: string, run: () => InstallResult): InstallResult {
  try {
    return run();
  } catch (problem) {
    if (!(problem instanceof HostAdaptersError)) throw problem;
    return { ...NOTHING, change: 'refused', file, before: null, after: null, problem };
  }
}

function changeOf({
  before,
  after,
  had,
  has,
}: {
  before: string | null;
  after: string | null;
  had: OwnEntries;
  has: OwnEntries;
}): InstallResult['change'] {
  if (isNothing(has)) return isNothing(had) ? 'absent' : 'removed';
  if (after === before) return 'unchanged';
  return isNothing(had) ? 'installed' : 'updated';
}

/** In the reverse order of adding. */
function removeAll(parts: readonly ConfigPart[], before: string | null, file: string) {
  const kept = new Map<ConfigPart, string>();
  let [text, own]: [string | null, OwnEntries] = [before, NOTHING];
  for (const part of parts.toReversed()) {
    const removed = checked(part.remove(text), file);
    if (removed.kept !== undefined) kept.set(part, removed.kept);
    text = removed.text;
    own = {
      events: [...removed.own.events, ...own.events],
      hasMcpServer: removed.own.hasMcpServer || own.hasMcpServer,
      programs: [...new Set([...removed.own.programs, ...own.programs])],
      extras: [...removed.own.extras, ...own.extras],
    };
  }
  return { text, own, kept };
}

const isNothing = ({ events, hasMcpServer }: OwnEntries) => events.length === 0 && !hasMcpServer;

function checkPaths({ hookScript, dataDir = '/', mcpServer }: InstallOptions): void {
  const paths = [hookScript, dataDir, mcpServer?.node ?? '/', mcpServer?.script ?? '/'];
  // eslint-disable-next-line no-control-regex -- neither shells nor configuration files take them on one line
  if (paths.every((path) => isAbsolute(path) && !/[\u0000-\u001f\u007f]/.test(path))) return;
  throw new HostAdaptersError('host-adapters/invalid-option', 'Hooks need absolute paths on one line.');
}

function checked<Result extends object>(result: Result | { problem: string }, file: string): Result {
  if ('problem' in result) throw brokenConfig(file, result.problem);
  return result;
}
