/** The name in a path, with its slash where it is a folder; a root is its own name. */
export const lastPart = (path: string): string =>
  path.slice(path.lastIndexOf('/', path.length - 2) + 1) || path;
