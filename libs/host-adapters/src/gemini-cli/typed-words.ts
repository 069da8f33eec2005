const OPENING = '<hook_context>';
const CLOSING = '</hook_context>';

/**
 * A prompt without the context of hooks that the host puts before it. The same tag further on is what the person wrote, and one
 * that is never closed is theirs too.
 */
export function typedWords(prompt: string): string {
  let words = prompt.trimStart();
  while (words.startsWith(OPENING)) {
    const end = words.indexOf(CLOSING);
    if (end === -1) break;
    words = words.slice(end + CLOSING.length).trimStart();
  }
  return words.trimEnd();
}
