import { isAbsolute } from 'node:path';
import type { HostAdapter, HostPlace, InstallOptions, InstallResult, OwnConfig } from '../host-adapter.js';
import { HostAdaptersError } from '../host-adapters-error.js';
import { brokenConfig, readConfig, writeConfig } from './config-file.js';
import { NOTHING, type ConfigPart, type OwnEntries } from './config-part.js';
import { findGrammarProblem } from './json-grammar.js';
import { removeEmptyFolders } from './remove-empty-folders.js';

/** Maximum number of attempts when the host writes a file at the same time. */
const MOST_PLANS = 20;

/**
 * Creates `install`, `uninstall` and `inspect` for a host. All files are read and changed in memory before one is
 * written, so that an invalid file leaves the others unchanged. Unchanged files are not written.
 */
export function createInstaller(
  parts: readonly ConfigPart[],
): Pick<HostAdapter, 'install' | 'uninstall' | 'inspect'> {
  const filesOf = (place: HostPlace) => [...new Set(parts.map((part) => part.fileOf(place)))];
  const partsIn = (file: string, place: HostPlace) => parts.filter((part) => part.fileOf(place) === file);

  const planInstall = (options: InstallOptions): InstallResult[] =>
    filesOf(options).map((file) => {
      const inFile = partsIn(file, options);
      const before = readAccepted(file, inFile);
      const { text, own: had, kept } = removeAll(inFile, before, file);
      const after = inFile.reduce<string | null>(
        (state, part) => checked(part.add(state, options, kept.get(part)), file).text,
        text,
      );
      const { own } = removeAll(inFile, after, file);
      return { change: changeOf({ before, after, had, has: own }), file, before, after, ...own };
    });
  const planRemoval = (file: string, place: HostPlace): InstallResult => {
    const before = readConfig(file);
    const { text, own } = removeAll(partsIn(file, place), before, file);
    const change = isNothing(own) ? 'absent' : 'removed';
    return { change, file, before, after: change === 'absent' ? before : text, ...own };
  };

  return {
    async install({ dryRun = false, ...options }) {
      checkPaths(options);
      return untilUndisturbed(() => {
        const results = planInstall(options);
        if (!dryRun) writeAll(results, options);
        return results;
      });
    },
    async uninstall({ dryRun = false, ...place }) {
      const remove = (file: string) => {
        const result = planRemoval(file, place);
        if (!dryRun) write(result, place);
        return result;
      };
      return filesOf(place).map((file) => orRefused(file, () => untilUndisturbed(() => remove(file))));
    },
    async inspect(place) {
      const results = filesOf(place).map((file) =>
        orRefused(file, () => {
          readAccepted(file, partsIn(file, place));
          return planRemoval(file, place);
        }),
      );
      return results.map(({ change: _, before: __, after: ___, ...own }): OwnConfig => own);
    },
  };
}

/**
 * @throws HostAdaptersError `broken-config` when the host itself rejects the file, so that no setting in it is active
 */
function readAccepted(file: string, parts: readonly ConfigPart[]): string | null {
  const text = readConfig(file);
  for (const { grammar } of text === null ? [] : parts) {
    const problem = grammar && findGrammarProblem(text ?? '', grammar);
    if (problem) throw brokenConfig(file, problem);
  }
  return text;
}

/** Hosts write their files while they run. A changed file is read and edited again. */
function untilUndisturbed<Result>(run: () => Result): Result {
  for (let count = 1; ; count += 1) {
    try {
      return run();
    } catch (error) {
      const isDisturbed = error instanceof HostAdaptersError && error.code === 'host-adapters/changed-config';
      if (!isDisturbed || count === MOST_PLANS) throw error;
    }
  }
}

/** Writes all files or none. */
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
  writeConfig(file, { before, after });
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
