import { shellQuote, type HostName } from '@claude-mem/core';
import type { HostPlace, InstallOptions } from '../host-adapter.js';
import { NOTHING, type ConfigPart } from './config-part.js';
import type { JsonGrammar } from './json-grammar.js';
import { addHooks, removeHooks, type HookEntry, type HooksLayout } from './hooks-text.js';

/** One captured event. */
interface HookRegistration {
  event: string;
  /** The name that hook.sh gets. @default the event */
  argument?: string;
  matcher?: string;
  /** In the unit of the host. */
  timeout: number;
  /** First version of the host with the event. */
  since?: string;
}

/** How a host configures hooks. */
export interface HooksPartOptions {
  host: HostName;
  hooks: readonly HookRegistration[];
  grammar: JsonGrammar;
  layout: Omit<HooksLayout, 'isOwn'> & { write(hook: HookRegistration, command: string): object };
  fileOf(place: HostPlace): string;
}

/** Creates the part with our hooks in a JSON file. */
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
 * Formats the command line of one hook. The comment at its end identifies it. It exits with 0 even when the script is
 * missing, because a shell without the script exits with 2, which hosts interpret as "block".
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

/** False when the version is unknown. */
function isOlder(version: string | undefined, than: string): boolean {
  const found = /\d+\.\d+\.\d+/.exec(version ?? '')?.[0];
  return found !== undefined && found.localeCompare(than, 'en', { numeric: true }) < 0;
}
