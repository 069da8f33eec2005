const OPENING = '<hook_context>';
const CLOSING = '</hook_context>';

/**
 * Removes the hook context that the host adds before a prompt. The same tag at another position, or without an end,
 * is text of the user.
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
