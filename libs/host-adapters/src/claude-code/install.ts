import { readFileSync, rmSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { writeFileAtomically } from '@claude-mem/core/write-file';
import type { InstallOptions, InstallResult, UninstallOptions } from '../host-adapter.js';
import { HostAdaptersError } from '../host-adapters-error.js';
import { realPathOf } from '../real-path.js';
import { shellQuote } from '../shell-quote.js';
import { CLAUDE_CODE_HOOKS } from './events.js';
import { addHooks, removeHooks, type HookEntry } from './settings-text.js';

/** Puts our hooks into Claude Code's settings. Nothing is written when they are there already. */
export async function installClaudeCode(options: InstallOptions): Promise<InstallResult> {
  const file = settingsFileOf(options);
  const entries = entriesOf(options);
  const before = readSettings(file);
  const cleared = checked(removeHooks(before), file);
  const after = checked(addHooks(cleared.text, entries), file).text;
  const events = entries.map(({ event }) => event);
  if (after === before) return { change: 'unchanged', file, events };
  write(file, after);
  return { change: cleared.removed.length > 0 ? 'updated' : 'installed', file, events };
}

/** Takes our hooks out of Claude Code's settings; a file that we made is removed. */
export async function uninstallClaudeCode(options: UninstallOptions): Promise<InstallResult> {
  const file = settingsFileOf(options);
  const before = readSettings(file);
  const { text, removed } = checked(removeHooks(before), file);
  if (removed.length === 0) return { change: 'absent', file, events: [] };
  write(file, text);
  return { change: 'removed', file, events: removed };
}

/** The command line of one hook. The remark at its end is how we know it again. */
export function hookCommand(event: string, { hookScript, dataDir }: InstallOptions): string {
  const environment = dataDir === undefined ? '' : `CLAUDE_MEM_DATA_DIR=${shellQuote(dataDir)} `;
  return `${environment}sh ${shellQuote(hookScript)} claude-code ${event} # claude-mem hook`;
}

function entriesOf(options: InstallOptions): HookEntry[] {
  for (const path of [options.hookScript, options.dataDir ?? '/']) {
    if (isAbsolute(path) && !/[\0\r\n]/.test(path)) continue;
    throw new HostAdaptersError('host-adapters/invalid-option', 'Hooks need absolute paths on one line.');
  }
  const isKnown = (hook: object) => !('since' in hook) || !isOlder(options.hostVersion, String(hook.since));
  return CLAUDE_CODE_HOOKS.filter(isKnown).map((hook) => ({
    event: hook.event,
    group: {
      ...('matcher' in hook ? { matcher: hook.matcher } : {}),
      hooks: [{ type: 'command', command: hookCommand(hook.event, options), timeout: hook.timeout }],
    },
  }));
}

/** False when the version is not known. */
function isOlder(version: string | undefined, than: string): boolean {
  const found = /\d+\.\d+\.\d+/.exec(version ?? '')?.[0];
  return found !== undefined && found.localeCompare(than, 'en', { numeric: true }) < 0;
}

function settingsFileOf({ home, configDir, projectDir }: UninstallOptions): string {
  if (projectDir) return join(projectDir, '.claude', 'settings.json');
  return join(configDir || join(home, '.claude'), 'settings.json');
}

/** Null when there is no file. */
function readSettings(file: string): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(readFileSync(file));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    if (error instanceof TypeError) throw broken(file, 'is not UTF-8 text');
    throw new HostAdaptersError('host-adapters/unreadable-config', `${file} cannot be read.`, {
      cause: error,
    });
  }
}

function write(file: string, text: string | null): void {
  try {
    if (text === null) rmSync(realPathOf(file), { force: true });
    else writeFileAtomically(file, text, { mode: 0o600 });
  } catch (error) {
    throw new HostAdaptersError('host-adapters/unwritable-config', `${file} cannot be written.`, {
      cause: error,
    });
  }
}

function checked<Result extends object>(result: Result | { problem: string }, file: string): Result {
  if ('problem' in result) throw broken(file, result.problem as string);
  return result as Result;
}

function broken(file: string, problem: string): HostAdaptersError {
  return new HostAdaptersError(
    'host-adapters/broken-config',
    `${file} ${problem}. It is left as it is: repair it, then try again.`,
    { data: { file } },
  );
}
