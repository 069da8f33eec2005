import { toStorableText } from '@claude-mem/core';
import { removeTaggedBlocks } from './remove-tagged-blocks.js';
import { scrubText, type ScrubbedText } from './scrub-text.js';

/**
 * Creates a scrubber for consecutive texts, such as the fields of a record. A private block without an end continues in
 * the next texts, up to its closing tag.
 * @param scrub function applied to each text. @default scrubText
 * @param note appended to a text of several lines whose end was removed. @default no note
 */
export function createTextScrubber(
  scrub: (text: string) => ScrubbedText = scrubText,
  note: string | null = null,
): (text: string) => ScrubbedText {
  let isOpen = false;
  return (text) => {
    const completeText = isOpen ? `<private>${text}` : text;
    const result = scrub(completeText);
    // A block always increases `removed`, so other texts need only one pass.
    if (result.removed === 0) return result;
    const { isPrivateOpen, isCut } = removeTaggedBlocks(toStorableText(completeText));
    isOpen = isPrivateOpen;
    return note !== null && isCut && text.includes('\n')
      ? { ...result, text: `${result.text}\n${note}` }
      : result;
  };
}
