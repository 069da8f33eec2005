import { isAbsolute } from 'node:path';
import type { HostAdapter, HostPlace, InstallOptions, InstallResult } from '../host-adapter.js';
import { HostAdaptersError } from '../host-adapters-error.js';
import { brokenConfig, readConfig, writeConfig } from './config-file.js';
import { NOTHING, type ConfigPart, type OwnEntries } from './config-part.js';

/**
 * `install`, `uninstall` and `inspect` for a host, of the parts that stand in its files. All files are read and changed in memory
 * before one is written, so that a broken one leaves the others as they are; nothing is written when nothing changes.
 */
export function createInstaller(
  parts: readonly ConfigPart[],
): Pick<HostAdapter, 'install' | 'uninstall' | 'inspect'> {
  const plan = (place: HostPlace, options: InstallOptions | null): InstallResult[] => {
    const files = [...new Set(parts.map((part) => part.fileOf(place)))];
    return files.map((file) => {
      const inFile = parts.filter((part) => part.fileOf(place) === file);
      const before = readConfig(file);
      const removed = removeAll(inFile, before, file);
      if (!options) {
        const change = isNothing(removed.own) ? 'absent' : 'removed';
        return { change, file, before, after: change === 'absent' ? before : removed.text, ...removed.own };
      }
      const after = inFile.reduce<string | null>(
        (text, part) => checked(part.add(text, options), file).text,
        removed.text,
      );
      const { own } = removeAll(inFile, after, file);
      return { change: changeOf({ before, after, had: removed.own, has: own }), file, before, after, ...own };
    });
  };
  const write = (results: readonly InstallResult[]) => {
    for (const { file, before, after } of results) if (after !== before) writeConfig(file, after);
    return results;
  };
  return {
    async install({ dryRun = false, ...options }) {
      checkPaths(options);
      const results = plan(options, options);
      return dryRun ? results : write(results);
    },
    async uninstall({ dryRun = false, ...place }) {
      const results = plan(place, null);
      return dryRun ? results : write(results);
    },
    async inspect(place) {
      return plan(place, null).map(({ file, events, hasMcpServer, programs }) => ({
        file,
        events,
        hasMcpServer,
        programs,
      }));
    },
  };
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
function removeAll(parts: readonly ConfigPart[], text: string | null, file: string) {
  return parts.toReversed().reduce<{ text: string | null; own: OwnEntries }>(
    (state, part) => {
      const { text: left, own } = checked(part.remove(state.text), file);
      return {
        text: left,
        own: {
          events: [...own.events, ...state.own.events],
          hasMcpServer: own.hasMcpServer || state.own.hasMcpServer,
          programs: [...new Set([...own.programs, ...state.own.programs])],
        },
      };
    },
    { text, own: NOTHING },
  );
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
