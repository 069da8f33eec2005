import { createHash } from 'node:crypto';
import { toStorableText, type ObservationDraft } from '@claude-mem/core';

/**
 * The same for two observations that say the same: 128 bits over type, texts and changed files. Fields are written as
 * JSON, so that a text that ends one field is never read as the beginning of the next.
 */
export function contentHashOf(draft: ObservationDraft): string {
  const { type, title, subtitle, narrative, filesModified } = draft;
  const facts = draft.facts.map(({ text }) => text);
  const content = JSON.stringify([type, title, subtitle, narrative, facts, filesModified]);
  return createHash('sha256').update(toStorableText(content)).digest().subarray(0, 16).toString('base64url');
}
