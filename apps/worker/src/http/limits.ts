const HOOK_BODY = 32 * 1024 * 1024;
const OTHER_BODY = 1024 * 1024;

/** Maximum body in bytes. Host events may contain complete files, and an import contains many records. */
export function bodyLimitOf(url: string | undefined): number {
  return LARGE.some((start) => url?.startsWith(start)) ? HOOK_BODY : OTHER_BODY;
}

const LARGE = ['/api/hooks/', '/api/sessions/', '/api/import'];

export const MAX_JSON_DEPTH = 1_000;

/** Maximum number of TCP connections. A viewer needs few. */
export const MAX_TCP_CONNECTIONS = 500;
