/** Replaces typographic double quotes, so that the text can be put in quotation marks. */
export const unquoted = (text: string): string => text.replaceAll('“', '‘').replaceAll('”', '’');
