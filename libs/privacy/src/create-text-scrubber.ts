import { toStorableText } from '@claude-mem/core';
import { removeTaggedBlocks } from './remove-tagged-blocks.js';
import { scrubText, type ScrubbedText } from './scrub-text.js';

/**
 * A scrubber of texts that are read one after the other, as the fields of a record are: a private block that is opened in one
 * and not closed there takes all that follows, up to where it is closed.
 * @param scrub what is applied to each. @default scrubText
 */
export function createTextScrubber(
  scrub: (text: string) => ScrubbedText = scrubText,
): (text: string) => ScrubbedText {
  let isOpen = false;
  return (text) => {
    const whole = isOpen ? `<private>${text}` : text;
    const result = scrub(whole);
    // where a block was, something was removed: all other texts are looked at once
    if (result.removed > 0) isOpen = removeTaggedBlocks(toStorableText(whole)).isPrivateOpen;
    return result;
  };
}
