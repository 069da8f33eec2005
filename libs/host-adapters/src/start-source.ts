import type { SessionStarted } from '@claude-mem/core';

const SOURCES = ['startup', 'resume', 'clear', 'compact', 'fork'] as const;

/** The start sources of hosts that use these words; `other` for unknown ones. */
export function startSource(value: unknown): SessionStarted['source'] {
  return SOURCES.find((source) => source === value) ?? 'other';
}
