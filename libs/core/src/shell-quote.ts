/** Any text as one argument for `/bin/sh`, in single quotes. */
export const shellQuote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
