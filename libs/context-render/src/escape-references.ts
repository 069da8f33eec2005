/** Escapes `@`, because hosts replace `@path` in context files with the content of the file. */
export const escapeReferences = (text: string) => text.replace(/(?<![A-Za-z0-9])@/g, '＠');
