import type { ProviderRow } from '@claude-mem/core';
import { ProviderError } from '../provider-error.js';

/** Validates a key for use in a header, because SDK errors quote an invalid header value with the key. */
export function readKey(row: ProviderRow, written: string): string {
  const key = written.trim();
  if (key === '')
    throw new ProviderError(
      'setup-required',
      `The ${row.name} observer has no key: run "claude-mem settings set ${row.keySetting}".`,
      { data: { provider: row.name } },
    );
  if (!/^[\x21-\x7e]+$/.test(key))
    throw new ProviderError(
      'auth-invalid',
      `The ${row.name} observer has a key with spaces or characters that no key has: run "claude-mem settings set ${row.keySetting}".`,
      { data: { provider: row.name } },
    );
  return key;
}
