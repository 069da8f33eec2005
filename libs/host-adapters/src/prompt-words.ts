/** Replaces a prompt without text, such as a single image. */
export const NO_TEXT = '[no text]';

/**
 * Returns the text of a prompt in all formats of the hosts: text, a value, or content blocks. Empty when there is
 * none.
 */
export function promptWords(value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (!Array.isArray(value)) return '';
  const texts = value.map((block: unknown) =>
    typeof block === 'object' && block !== null && 'text' in block ? block.text : block,
  );
  return texts.filter((text) => typeof text === 'string').join('\n');
}
