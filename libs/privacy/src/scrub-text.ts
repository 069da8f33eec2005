import { toStorableText } from '@claude-mem/core';
import { removeTaggedBlocks } from './remove-tagged-blocks.js';
import { revealText } from './reveal-text.js';
import { scrubEncodedText } from './scrub-encoded-text.js';
import { scrubKnownSecrets } from './scrub-known-secrets.js';
import { scrubNamedValues } from './scrub-named-values.js';
import { scrubPrivateKeys } from './scrub-private-keys.js';

export interface ScrubbedText {
  text: string;
  /** Number of removed blocks and secrets. */
  removed: number;
}

const PLAIN_STEPS = [scrubPrivateKeys, scrubKnownSecrets, scrubNamedValues];
const decodeStep = (text: string) =>
  scrubEncodedText(text, (decoded) => PLAIN_STEPS.some((step) => step(decoded).removed > 0));
const STEPS = [removeTaggedBlocks, ...PLAIN_STEPS, decodeStep];
const ROUNDS = 3;

/**
 * Removes private blocks, context blocks of claude-mem, host reminders and secrets from a text.
 * The result is well-formed, without NUL and byte order mark. Scrubbing the result again changes nothing. Never throws,
 * and takes linear time.
 */
export function scrubText(text: string): ScrubbedText {
  const storable = toStorableText(text.charCodeAt(0) === 0xfeff ? text.slice(1) : text);
  if (isEncodedBytes(storable)) return decodeStep(storable);
  // Colors and invisible characters can separate a label from its value, or a secret from the word before it.
  const revealed = revealText(storable);
  if (revealed === storable) return applySteps(storable);
  const marked = scrubKnownSecrets(storable);
  if (applySteps(marked.removed === 0 ? revealed : revealText(marked.text)).removed === 0) return marked;
  const visible = applySteps(marked.text);
  const hidden = applySteps(revealText(visible.text));
  return {
    text: hidden.removed === 0 ? visible.text : hidden.text,
    removed: marked.removed + visible.removed + hidden.removed,
  };
}

function applySteps(text: string): ScrubbedText {
  let current = text;
  let removed = 0;
  // Text that one step removed can have hidden a secret from an earlier step.
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

/** A string of only base64 (an image, an archive) contains no readable text. `boundJson` limits it. */
function isEncodedBytes(text: string): boolean {
  return text.length >= 4_096 && /^[A-Za-z0-9+/]+={0,2}$/.test(text);
}
