/** In files of a project hosts read `@path` as "put that file here": a stored text must not bring one in. */
export const withoutReferences = (text: string) => text.replace(/(?<![A-Za-z0-9])@/g, '＠');
