/**
 * Normalizes a Windows path on another system: `C:\Users\First Last\repo` becomes `C:/Users/First Last/repo`. Null
 * for any other path.
 */
export function windowsPath(path: string): string | null {
  if (!/^(?:[A-Za-z]:(?:[\\/]|$)|\\\\[^\\/]|\/\/[^/]+\/[^/])/.test(path)) return null;
  const slashed = path.replaceAll('\\', '/');
  const root = /^(?:[A-Za-z]:|\/\/[^/]+(?:\/[^/]+)?)/.exec(slashed)?.[0] ?? '';
  const parts: string[] = [];
  for (const part of slashed.slice(root.length).split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '' && part !== '.') parts.push(part);
  }
  return [root.replace(/^[a-z]:/, (drive) => drive.toUpperCase()), ...parts].join('/');
}

/** Checks for the root of a drive, a home folder, the temporary folder and the folders of systems and programs. */
export function isNeutralWindowsPath(path: string): boolean {
  return (
    /^[A-Z]:(?:\/Users(?:\/[^/]+)?|\/Windows(?:\/.*)?)?$/i.test(path) ||
    /^\/\/[^/]+(?:\/[^/]+)?$/.test(path) ||
    /\/(?:AppData\/Local\/)?Temp$/i.test(path)
  );
}
