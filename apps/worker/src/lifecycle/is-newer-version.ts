const VERSION = /^\d{1,6}\.\d{1,6}\.\d{1,6}$/;

/** Returns false when either version is not a plain `major.minor.patch`. */
export function isNewerVersion(version: string | undefined, than: string): boolean {
  if (version === undefined || !VERSION.test(version) || !VERSION.test(than)) return false;
  return version.localeCompare(than, 'en', { numeric: true }) > 0;
}
