import { shellWord } from '@claude-mem/core';
import { useQuery } from '@tanstack/react-query';
import { healthQuery } from '../api/health-query.js';

/**
 * A command of claude-mem as it can be typed anywhere: by its whole path, which needs no `PATH`. Where the worker cannot be
 * asked for that it is the usual one.
 */
export function useCommandText(words: string): string {
  const { data } = useQuery(healthQuery);
  const program =
    data === undefined ? '~/.claude-mem/bin/claude-mem' : shellWord(`${data.dataDir}/bin/claude-mem`);
  return `${program} ${words}`;
}
