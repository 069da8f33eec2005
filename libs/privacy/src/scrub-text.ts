import { toStorableText } from '@claude-mem/core';
import { removeTaggedBlocks } from './remove-tagged-blocks.js';
import { revealText } from './reveal-text.js';
import { scrubEncodedText } from './scrub-encoded-text.js';
import { scrubKnownSecrets } from './scrub-known-secrets.js';
import { scrubNamedValues } from './scrub-named-values.js';
import { scrubPrivateKeys } from './scrub-private-keys.js';

export interface ScrubbedText {
  text: string;
  /** How many blocks and secrets were taken out. */
  removed: number;
}

const PLAIN_STEPS = [scrubPrivateKeys, scrubKnownSecrets, scrubNamedValues];
const decodeStep = (text: string) =>
  scrubEncodedText(text, (decoded) => PLAIN_STEPS.some((step) => step(decoded).removed > 0));
const STEPS = [removeTaggedBlocks, ...PLAIN_STEPS, decodeStep];
const ROUNDS = 3;

/**
 * The text as it may be stored and sent: without private blocks, our own context, host reminders and secrets; well-formed, without
 * NUL and byte-order mark. Scrubbing again changes nothing. Never throws; takes time linear in the length.
 */
export function scrubText(text: string): ScrubbedText {
  const storable = toStorableText(text.charCodeAt(0) === 0xfeff ? text.slice(1) : text);
  if (isEncodedBytes(storable)) return decodeStep(storable);
  // Colours and invisible characters can separate a label from its value, or a secret from the word before it.
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
