import type { HostName } from '@claude-mem/core';

const HOST_LABELS: Record<HostName, string> = {
  'claude-code': 'Claude Code',
  cursor: 'Cursor',
  codex: 'Codex',
  'gemini-cli': 'Gemini CLI',
  opencode: 'OpenCode',
  import: 'Imported',
  manual: 'Saved outside of a session',
};

/** What an address names may be no host: that is its own label. */
export const hostLabel = (host: string): string =>
  Object.hasOwn(HOST_LABELS, host) ? HOST_LABELS[host as HostName] : host;
