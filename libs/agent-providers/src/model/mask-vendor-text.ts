import { toSingleLine, truncate } from '@claude-mem/core';

const LIMIT = 200;

/** Text that looks like a key or a token of any vendor. */
const KEYS =
  /\b(?:sk|pk|rk|key|AIza|gsk|hf|xai|nvapi|ghp|eyJ)[-_A-Za-z0-9][-_.A-Za-z0-9*]{10,}|\bBearer\s+[^\s"',;]+/g;

/** Shortens a vendor's text to one line for display, and masks keys. */
export function maskVendorText(text: string, secrets: readonly string[] = []): string {
  let masked = text;
  for (const secret of secrets) if (secret !== '') masked = masked.replaceAll(secret, '[key]');
  return truncate(toSingleLine(masked.replace(KEYS, '[key]').toWellFormed()), LIMIT);
}
