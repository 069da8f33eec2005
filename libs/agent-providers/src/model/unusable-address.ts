import type { ProviderRow } from '@claude-mem/core';
import { ProviderError } from '../provider-error.js';

/** Returns the message for an address that cannot be used. */
export function unusableAddress({ name, baseUrlSetting }: ProviderRow, example: string): ProviderError {
  return new ProviderError(
    'setup-required',
    `The ${name} observer has no address that can be used: run "claude-mem settings set ${baseUrlSetting} ${example}".`,
    { data: { provider: name } },
  );
}
