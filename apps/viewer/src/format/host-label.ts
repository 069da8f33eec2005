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

/** Returns the label of a host. A URL can contain an unknown host, which is returned unchanged. */
export const hostLabel = (host: string): string =>
  Object.hasOwn(HOST_LABELS, host) ? HOST_LABELS[host as HostName] : host;
