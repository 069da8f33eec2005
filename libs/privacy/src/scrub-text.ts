import { toStorableText } from '@claude-mem/core';
import { removeTaggedBlocks } from './remove-tagged-blocks.js';
import { scrubKnownSecrets } from './scrub-known-secrets.js';
import { scrubNamedValues } from './scrub-named-values.js';
import { scrubPrivateKeys } from './scrub-private-keys.js';

export interface ScrubbedText {
  text: string;
  /** How many blocks and secrets were taken out. */
  removed: number;
}

const STEPS = [removeTaggedBlocks, scrubPrivateKeys, scrubKnownSecrets, scrubNamedValues];
const ROUNDS = 3;

/**
 * The text as it may be stored and sent: without private blocks, our own context, host reminders and secrets; well-formed, without
 * NUL and byte-order mark. Scrubbing again changes nothing. Never throws; takes time linear in the length.
 */
export function scrubText(text: string): ScrubbedText {
  let current = toStorableText(text.charCodeAt(0) === 0xfeff ? text.slice(1) : text);
  if (isEncodedBytes(current)) return { text: current, removed: 0 };
  let removed = 0;
  // What one step took out may have hidden something from an earlier one.
  for (let round = 0; round < ROUNDS; round += 1) {
    let found = 0;
    for (const step of STEPS) {
      const result = step(current);
      current = result.text;
      found += result.removed;
    }
    removed += found;
    if (found === 0) break;
  }
  return { text: current, removed };
}

/** A whole string of base64 (an image, an archive) holds no readable text; it is bounded elsewhere. */
function isEncodedBytes(text: string): boolean {
  return text.length >= 4_096 && /^[A-Za-z0-9+/]+={0,2}$/.test(text);
}
