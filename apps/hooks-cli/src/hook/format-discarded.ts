import type { HookCall } from './hook-event.js';

/** Hosts that show `systemMessage`. The same list is in hook.sh. */
const HOSTS = ['claude-code', 'codex', 'gemini-cli'];

/** Returns a message for the user when the data folder cannot be used at a session start. Empty for other events. */
export function formatDiscarded({ host, event, env }: HookCall): Buffer {
  if (event !== 'SessionStart' || !HOSTS.includes(host)) return Buffer.alloc(0);
  const folder = env['CLAUDE_MEM_DATA_DIR'] || '~/.claude-mem';
  // eslint-disable-next-line no-control-regex -- hook.sh cannot escape these characters
  const shown = /[\u0000-\u001f\u007f"\\]/.test(folder) ? 'its data directory' : folder;
  const systemMessage = `claude-mem cannot store events in ${shown}. Run: claude-mem doctor`;
  return Buffer.from(JSON.stringify({ systemMessage }));
}
