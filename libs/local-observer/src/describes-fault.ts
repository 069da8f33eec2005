import type { Claim } from './claims.js';
import { OWN_DEED, PAST_EDIT } from './text/lexicon.js';

/** How things are since the change. */
export const NOW = /\b(?:now|jetzt|nun)\b/i;

/** How things were, not what was done. */
export const PAST_STATE =
  /\b(?:was|were|had|did|could(?:n(?:'|’)t)?|didn(?:'|’)t|wasn(?:'|’)t|weren(?:'|’)t|failed|crashed|broke|used to)\b/i;

/** "The bug was …", "Der Fehler lag in …". */
const NAMED_FAULT =
  /^(?:the |der |die |das )?(?:(?:actual|real|underlying|root) )?(?:bugs?|problem|issue|cause|fault|error|fehler|ursache)\b/i;

/** "`totalOf` in `src/cart.ts` added floats": what is named did it, not the agent. */
const PAST_SUBJECT =
  /^(?:[Tt]he \w|`|[a-z]+[A-Z])(?:(?!\b(?:is|are|be|been|being|has|have|gets?)\b).){2,70}? \w+ed\b/;

/** A sentence of a turn with changes that says what was wrong. The sentence after it may tell: "It now …". */
export function describesFault({ text, form }: Claim, next: Claim | undefined): boolean {
  if (OWN_DEED.test(text) || NOW.test(text) || PAST_EDIT.test(text)) return false;
  if (NAMED_FAULT.test(text) || PAST_STATE.test(text) || PAST_SUBJECT.test(text)) return true;
  return form === 'sentence' && next?.form === 'sentence' && /^(?:it now|jetzt|nun)\b/i.test(next.text);
}
