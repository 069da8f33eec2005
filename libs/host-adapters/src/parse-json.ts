/** Parses strict JSON. Returns null for other text. */
export function parseJson(text: string): { value: unknown } | null {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}
