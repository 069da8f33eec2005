/** Files and identifiers in a text. */
export interface Names {
  /** Relative to the project root if it is known. */
  files: readonly string[];
  /** Without `()`. */
  identifiers: readonly string[];
}

/** Returns the path and each of its ends, such as `src/cart.ts` and `cart.ts`. */
export function pathEnds(path: string): string[] {
  const parts = path.split('/');
  return parts.map((_, at) => parts.slice(at).join('/'));
}

/**
 * Returns the files and identifiers of `named` that were used. A file name without folders matches all files with
 * that name.
 */
export function findUsed(named: Names, used: Names): string[] {
  const files = new Set(used.files.flatMap(pathEnds));
  const identifiers = new Set(used.identifiers);
  return [
    ...named.files.filter((file) => files.has(file)),
    ...named.identifiers.filter((name) => identifiers.has(name)),
  ];
}
