/** A text that can stand within “quotation marks”. */
export const unquoted = (text: string): string => text.replaceAll('“', '‘').replaceAll('”', '’');
