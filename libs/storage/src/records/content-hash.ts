import { createHash } from 'node:crypto';
import { toStorableText, type ObservationDraft } from '@claude-mem/core';

/**
 * Returns 128 bits over type, texts and changed files, equal for observations with the same content. Fields are
 * written as JSON, so that the end of one field cannot be read as the beginning of the next.
 */
export function contentHashOf(draft: ObservationDraft): string {
  const { type, title, subtitle, narrative, filesModified } = draft;
  const facts = draft.facts.map(({ text }) => text);
  const content = JSON.stringify([type, title, subtitle, narrative, facts, filesModified]);
  return createHash('sha256').update(toStorableText(content)).digest().subarray(0, 16).toString('base64url');
}
