import { shellWord } from '@claude-mem/core';
import { useQuery } from '@tanstack/react-query';
import { healthQuery } from '../api/health-query.js';

/**
 * Returns a claude-mem command with the full path of the program, so that it works without `PATH`. Until the worker
 * has responded, the path is the default one.
 */
export function useCommandText(words: string): string {
  const { data } = useQuery(healthQuery);
  const program =
    data === undefined ? '~/.claude-mem/bin/claude-mem' : shellWord(`${data.dataDir}/bin/claude-mem`);
  return `${program} ${words}`;
}
