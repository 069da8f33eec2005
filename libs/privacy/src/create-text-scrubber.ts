import { toStorableText } from '@claude-mem/core';
import { removeTaggedBlocks } from './remove-tagged-blocks.js';
import { scrubText, type ScrubbedText } from './scrub-text.js';

/**
 * A scrubber of texts that are read one after the other, as the fields of a record are: a private block that is opened in one
 * and not closed there takes all that follows, up to where it is closed.
 * @param scrub what is applied to each. @default scrubText
 * @param note stands at the end of a text of several lines whose rest was removed. @default no note
 */
export function createTextScrubber(
  scrub: (text: string) => ScrubbedText = scrubText,
  note: string | null = null,
): (text: string) => ScrubbedText {
  let isOpen = false;
  return (text) => {
    const whole = isOpen ? `<private>${text}` : text;
    const result = scrub(whole);
    // where a block was, something was removed: all other texts are looked at once
    if (result.removed === 0) return result;
    const { isPrivateOpen, isCut } = removeTaggedBlocks(toStorableText(whole));
    isOpen = isPrivateOpen;
    return note !== null && isCut && text.includes('\n')
      ? { ...result, text: `${result.text}\n${note}` }
      : result;
  };
}
