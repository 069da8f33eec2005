import type { HostName } from '@claude-mem/core';

const HOST_LABELS: Record<HostName, string> = {
  'claude-code': 'Claude Code',
  cursor: 'Cursor',
  codex: 'Codex',
  'gemini-cli': 'Gemini CLI',
  opencode: 'OpenCode',
  import: 'Imported',
  manual: 'Saved by hand',
};

export const hostLabel = (host: HostName): string => HOST_LABELS[host];
