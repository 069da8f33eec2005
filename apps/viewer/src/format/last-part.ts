/** Returns the last part of a path. A folder keeps its trailing slash. A root is returned unchanged. */
export const lastPart = (path: string): string =>
  path.slice(path.lastIndexOf('/', path.length - 2) + 1) || path;
