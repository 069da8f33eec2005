/** Splits the value of an option at its commas. Undefined when the option is not set. */
export function parseListOption(value: string | boolean | undefined): string[] | undefined {
  return split(value, ',');
}

/** Returns the values of an option that can be repeated. Undefined when the option is not set. */
export function parseLinesOption(value: string | boolean | undefined): string[] | undefined {
  return split(value, '\n');
}

function split(value: string | boolean | undefined, separator: string): string[] | undefined {
  if (typeof value !== 'string') return undefined;
  return value
    .split(separator)
    .map((part) => part.trim())
    .filter((part) => part !== '');
}
