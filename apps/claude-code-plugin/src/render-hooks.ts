import { CLAUDE_CODE_HOOKS } from '@claude-mem/host-adapters';

/**
 * Oldest supported version of Claude Code. If a plugin contains a hook for an unknown event, Claude Code ignores all
 * hooks of the plugin.
 */
const OLDEST_VERSION = '2.0.77';

export interface PluginHooks {
  hooks: Record<string, readonly { matcher?: string; hooks: readonly PluginHook[] }[]>;
}

interface PluginHook {
  type: 'command';
  command: string;
  timeout: number;
}

/** Returns the content of `hooks/hooks.json`, from the events of the host adapter. */
export function renderHooks(): PluginHooks {
  const hooks: PluginHooks['hooks'] = {};
  for (const hook of CLAUDE_CODE_HOOKS) {
    if ('since' in hook && isNewer(hook.since, OLDEST_VERSION)) continue;
    const command = commandFor('argument' in hook ? hook.argument : hook.event);
    const entry: PluginHook = { type: 'command', command, timeout: hook.timeout };
    const group = { ...('matcher' in hook ? { matcher: hook.matcher } : {}), hooks: [entry] };
    hooks[hook.event] = [...(hooks[hook.event] ?? []), group];
  }
  return { hooks };
}

/**
 * The shell expands the variable, because the host would replace `${…}` without escaping quotes and dollar signs in
 * the path. The command exits with 0 even if the script is missing. Otherwise sh would exit with 2, which blocks the
 * agent.
 */
function commandFor(event: string): string {
  return `sh "$CLAUDE_PLUGIN_ROOT/hooks-cli/dist/hook.sh" claude-code ${event} unless-installed 2>/dev/null || true`;
}

const isNewer = (version: string, than: string) => version.localeCompare(than, 'en', { numeric: true }) > 0;
