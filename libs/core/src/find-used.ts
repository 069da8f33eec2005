/** Files and identifiers. */
export interface Names {
  /** Relative to the project root where that is known. */
  files: readonly string[];
  /** Without `()`. */
  identifiers: readonly string[];
}

/** The path and each end of it, such as `src/cart.ts` and `cart.ts`. */
export function pathEnds(path: string): string[] {
  const parts = path.split('/');
  return parts.map((_, at) => parts.slice(at).join('/'));
}

/** The files and identifiers of `named` that were used. A file name without its folders matches all files of that name. */
export function findUsed(named: Names, used: Names): string[] {
  const files = new Set(used.files.flatMap(pathEnds));
  const identifiers = new Set(used.identifiers);
  return [
    ...named.files.filter((file) => files.has(file)),
    ...named.identifiers.filter((name) => identifiers.has(name)),
  ];
}
