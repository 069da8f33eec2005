import { readFileSync, rmSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import type { HostName } from '@claude-mem/core';
import { writeFileAtomically } from '@claude-mem/core/write-file';
import type { HostAdapter, InstallOptions, UninstallOptions } from '../host-adapter.js';
import { HostAdaptersError } from '../host-adapters-error.js';
import { realPathOf } from '../real-path.js';
import { shellQuote } from '../shell-quote.js';
import { addHooks, removeHooks, type HookEntry, type HooksLayout } from './hooks-text.js';

/** One event to listen to. */
interface HookRegistration {
  event: string;
  matcher?: string;
  /** Seconds. */
  timeout: number;
  /** First version of the host that knows the event. */
  since?: string;
}

/** How a host wants its hooks. */
export interface HookInstallerOptions {
  host: HostName;
  hooks: readonly HookRegistration[];
  layout: Omit<HooksLayout, 'isOwn'> & { write(hook: HookRegistration, command: string): object };
  /** The host's folder in the home and in a project, such as `.claude`. */
  configFolder: string;
  /** The file in it. */
  configFile: string;
}

/** `install` and `uninstall` for a host whose hooks are entries of a JSON file. Nothing is written when nothing changes. */
export function createHookInstaller({
  host,
  hooks,
  layout: { write: writeEntry, ...rest },
  configFolder,
  configFile,
}: HookInstallerOptions): Pick<HostAdapter, 'configFolder' | 'configFile' | 'install' | 'uninstall'> {
  const layout: HooksLayout = { ...rest, isOwn: (command) => ownCommand(host).test(command) };

  const fileOf = ({ home, configDir, projectDir }: UninstallOptions): string =>
    join(projectDir ? join(projectDir, configFolder) : configDir || join(home, configFolder), configFile);

  const entriesOf = (options: InstallOptions): HookEntry[] => {
    checkPaths(options);
    return hooks
      .filter(({ since }) => since === undefined || !isOlder(options.hostVersion, since))
      .map((hook) => ({
        event: hook.event,
        value: writeEntry(hook, hookCommand(host, hook.event, options)),
      }));
  };

  return {
    configFolder,
    configFile,
    async install(options) {
      const file = fileOf(options);
      const entries = entriesOf(options);
      const before = readConfig(file);
      const cleared = checked(removeHooks(before, layout), file);
      const after = checked(addHooks(cleared.text, entries, layout), file).text;
      const events = entries.map(({ event }) => event);
      if (after === before) return { change: 'unchanged', file, events };
      writeConfig(file, after);
      return { change: cleared.removed.length > 0 ? 'updated' : 'installed', file, events };
    },
    async uninstall(options) {
      const file = fileOf(options);
      const { text, removed } = checked(removeHooks(readConfig(file), layout), file);
      if (removed.length === 0) return { change: 'absent', file, events: [] };
      writeConfig(file, text);
      return { change: 'removed', file, events: removed };
    },
  };
}

/**
 * The command line of one hook. The remark at its end is how we know it again. It ends with 0 also when the script is
 * gone, because a shell that finds no script ends with 2, which hosts read as "block".
 */
function hookCommand(host: HostName, event: string, { hookScript, dataDir }: InstallOptions): string {
  const environment = dataDir === undefined ? '' : `CLAUDE_MEM_DATA_DIR=${shellQuote(dataDir)} `;
  return `${environment}sh ${shellQuote(hookScript)} ${host} ${event} 2>/dev/null || true # claude-mem hook`;
}

const ownCommand = (host: HostName) =>
  new RegExp(
    `^(?:CLAUDE_MEM_DATA_DIR='.*' )?sh '.*' ${host} \\w+ 2>/dev/null \\|\\| true # claude-mem hook$`,
    's',
  );

function checkPaths({ hookScript, dataDir = '/' }: InstallOptions): void {
  for (const path of [hookScript, dataDir]) {
    if (isAbsolute(path) && !/[\0\r\n]/.test(path)) continue;
    throw new HostAdaptersError('host-adapters/invalid-option', 'Hooks need absolute paths on one line.');
  }
}

/** False when the version is not known. */
function isOlder(version: string | undefined, than: string): boolean {
  const found = /\d+\.\d+\.\d+/.exec(version ?? '')?.[0];
  return found !== undefined && found.localeCompare(than, 'en', { numeric: true }) < 0;
}

/** Null when there is no file. */
function readConfig(file: string): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(readFileSync(file));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    if (error instanceof TypeError) throw broken(file, 'is not UTF-8 text');
    throw new HostAdaptersError(
      'host-adapters/unreadable-config',
      `${file} cannot be read: check its permissions, then try again.`,
      {
        cause: error,
      },
    );
  }
}

function writeConfig(file: string, text: string | null): void {
  try {
    if (text === null) rmSync(realPathOf(file), { force: true });
    else writeFileAtomically(file, text, { mode: 0o600 });
  } catch (error) {
    throw new HostAdaptersError(
      'host-adapters/unwritable-config',
      `${file} cannot be written: check free space and permissions, then try again.`,
      {
        cause: error,
      },
    );
  }
}

function checked<Result extends { text: string | null }>(
  result: Result | { problem: string },
  file: string,
): Result {
  if ('problem' in result) throw broken(file, result.problem);
  return result;
}

function broken(file: string, problem: string): HostAdaptersError {
  return new HostAdaptersError(
    'host-adapters/broken-config',
    `${file} ${problem}. It is left as it is: repair it, then try again.`,
    { data: { file } },
  );
}
