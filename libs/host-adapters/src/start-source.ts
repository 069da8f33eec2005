import type { SessionStarted } from '@claude-mem/core';

const SOURCES = ['startup', 'resume', 'clear', 'compact', 'fork'] as const;

/** How a session began, for hosts that use these words; `other` for one nobody knows. */
export function startSource(value: unknown): SessionStarted['source'] {
  return SOURCES.find((source) => source === value) ?? 'other';
}
