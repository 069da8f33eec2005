/** Returns whether `name` is the stored path, the end of the path, or a folder that contains it. */
export function isNamedBy(path: string, name: string): boolean {
  if (path === name || path.endsWith(`/${name}`)) return true;
  return name.endsWith('/') && (path.startsWith(name) || path.includes(`/${name}`));
}
