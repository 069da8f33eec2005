import { CLAUDE_CODE_HOOKS } from '@claude-mem/host-adapters';

/** The oldest Claude Code that the plugin is for. It drops all hooks of a plugin for one event that it does not know. */
const OLDEST_VERSION = '2.0.77';

export interface PluginHooks {
  hooks: Record<string, readonly { matcher?: string; hooks: readonly PluginHook[] }[]>;
}

interface PluginHook {
  type: 'command';
  command: string;
  timeout: number;
}

/** `hooks/hooks.json`: the events of the adapter. */
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
 * The shell itself puts the folder in: what the host writes in place of a name in braces breaks with a quote or a dollar
 * in the path. Ends with 0 also when the script is gone, because a shell that finds none ends with 2, which means "block".
 */
function commandFor(event: string): string {
  return `sh "$CLAUDE_PLUGIN_ROOT/hooks-cli/dist/hook.sh" claude-code ${event} unless-installed 2>/dev/null || true`;
}

const isNewer = (version: string, than: string) => version.localeCompare(than, 'en', { numeric: true }) > 0;
