import { dirname } from 'node:path';
import { messageOf } from '@claude-mem/core';

/** Why the system refused. Its own words would name a temporary file, another one each time. */
export function reasonOf(error: unknown): string {
  const { code, path = '' } = error as NodeJS.ErrnoException;
  return path.endsWith('.tmp') ? `${dirname(path)} cannot be written (${code})` : messageOf(error);
}
