import { shellQuote, type HostName } from '@claude-mem/core';
import type { HostPlace, InstallOptions } from '../host-adapter.js';
import { NOTHING, type ConfigPart } from './config-part.js';
import type { JsonGrammar } from './json-grammar.js';
import { addHooks, removeHooks, type HookEntry, type HooksLayout } from './hooks-text.js';

/** One event to listen to. */
interface HookRegistration {
  event: string;
  /**
   * Name that hook.sh gets.
   * @default the event
   */
  argument?: string;
  matcher?: string;
  /** In the host's unit. */
  timeout: number;
  /** First version of the host that knows the event. */
  since?: string;
}

/** How a host wants its hooks. */
export interface HooksPartOptions {
  host: HostName;
  hooks: readonly HookRegistration[];
  grammar: JsonGrammar;
  layout: Omit<HooksLayout, 'isOwn'> & { write(hook: HookRegistration, command: string): object };
  fileOf(place: HostPlace): string;
}

/** Our hooks as entries of a JSON file. */
export function createHooksPart({
  host,
  hooks,
  grammar,
  layout: { write: writeEntry, ...rest },
  fileOf,
}: HooksPartOptions): ConfigPart {
  const layout: HooksLayout = { ...rest, isOwn: (command) => ownCommand(host).test(command) };
  const entriesOf = (options: InstallOptions): HookEntry[] =>
    hooks
      .filter(({ since }) => since === undefined || !isOlder(options.hostVersion, since))
      .map((hook) => ({
        event: hook.event,
        value: writeEntry(hook, hookCommand(host, hook.argument ?? hook.event, options)),
      }));
  return {
    fileOf,
    grammar,
    add: (text, options) => addHooks(text, entriesOf(options), layout),
    remove(before) {
      const result = removeHooks(before, layout);
      if ('problem' in result) return result;
      const { text, removed } = result;
      const programs = removed.map(({ command }) => scriptOf(command));
      const events = [...new Set(removed.map(({ event }) => event))];
      return { text, own: { ...NOTHING, events, programs: [...new Set(programs)] } };
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

function scriptOf(command: string): string {
  const quoted =
    /^(?:CLAUDE_MEM_DATA_DIR='(?:[^']|'\\'')*' )?sh '((?:[^']|'\\'')*)'/.exec(command)?.[1] ?? '';
  return quoted.replaceAll("'\\''", "'");
}

/** False when the version is not known. */
function isOlder(version: string | undefined, than: string): boolean {
  const found = /\d+\.\d+\.\d+/.exec(version ?? '')?.[0];
  return found !== undefined && found.localeCompare(than, 'en', { numeric: true }) < 0;
}
