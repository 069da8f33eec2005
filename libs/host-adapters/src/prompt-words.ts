/** Stands for a prompt without words, such as a lone picture. */
export const NO_TEXT = '[no text]';

/** The text of a prompt as hosts may send it: plain, a value, or content blocks. Empty when there is none. */
export function promptWords(value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (!Array.isArray(value)) return '';
  const texts = value.map((block: unknown) =>
    typeof block === 'object' && block !== null && 'text' in block ? block.text : block,
  );
  return texts.filter((text) => typeof text === 'string').join('\n');
}
