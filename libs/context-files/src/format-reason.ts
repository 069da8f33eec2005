import { dirname } from 'node:path';
import { messageOf } from '@claude-mem/core';

/** Formats a file system error without the name of a temporary file, which would differ at each attempt. */
export function formatReason(error: unknown): string {
  const { code, path = '' } = error as NodeJS.ErrnoException;
  return path.endsWith('.tmp') ? `${dirname(path)} cannot be written (${code})` : messageOf(error);
}
