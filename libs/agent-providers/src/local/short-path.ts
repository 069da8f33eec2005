/** The name of a file without its folders. */
export const shortPath = (path: string): string => path.split('/').slice(-1)[0] ?? path;
