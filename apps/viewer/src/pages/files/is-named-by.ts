/** True for a stored path that `name` stands for: it is it, ends with it, or is in it where it is a folder. */
export function isNamedBy(path: string, name: string): boolean {
  if (path === name || path.endsWith(`/${name}`)) return true;
  return name.endsWith('/') && (path.startsWith(name) || path.includes(`/${name}`));
}
