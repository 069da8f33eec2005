/** The words of an option with commas; undefined when it was not given. */
export function wordsOf(value: string | boolean | undefined): string[] | undefined {
  return split(value, ',');
}

/** The texts of an option that may be given several times. */
export function linesOf(value: string | boolean | undefined): string[] | undefined {
  return split(value, '\n');
}

function split(value: string | boolean | undefined, separator: string): string[] | undefined {
  if (typeof value !== 'string') return undefined;
  return value
    .split(separator)
    .map((part) => part.trim())
    .filter((part) => part !== '');
}
