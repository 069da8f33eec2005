import type { Claim } from './claims.js';
import { OWN_ACTION, PAST_EDIT } from './text/lexicon.js';

/** Matches a description of the behavior after the change. */
export const NOW = /\b(?:now|jetzt|nun)\b/i;

/** Matches a description of an earlier state rather than an action. */
export const PAST_STATE =
  /\b(?:was|were|had|did|could(?:n(?:'|’)t)?|didn(?:'|’)t|wasn(?:'|’)t|weren(?:'|’)t|failed|crashed|broke|used to)\b/i;

/** Matches "The bug was …" and "Der Fehler lag in …". */
const NAMED_FAULT =
  /^(?:the |der |die |das )?(?:(?:actual|real|underlying|root) )?(?:bugs?|problem|issue|cause|fault|error|fehler|ursache)\b/i;

/** Matches a past action whose subject is code, as in "`totalOf` in `src/cart.ts` added floats". */
const PAST_SUBJECT =
  /^(?:[Tt]he \w|`|[a-z]+[A-Z])(?:(?!\b(?:is|are|be|been|being|has|have|gets?)\b).){2,70}? \w+ed\b/;

/**
 * Returns true for a sentence of a turn with changes that describes the fault. The next sentence, such as "It now …",
 * can confirm this.
 */
export function describesFault({ text, form }: Claim, next: Claim | undefined): boolean {
  if (OWN_ACTION.test(text) || NOW.test(text) || PAST_EDIT.test(text)) return false;
  if (NAMED_FAULT.test(text) || PAST_STATE.test(text) || PAST_SUBJECT.test(text)) return true;
  return form === 'sentence' && next?.form === 'sentence' && /^(?:it now|jetzt|nun)\b/i.test(next.text);
}
