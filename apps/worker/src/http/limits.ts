const HOOK_BODY = 32 * 1024 * 1024;
const OTHER_BODY = 1024 * 1024;

/** Largest body in bytes. Host events, raw or normalised, may hold whole files; an import holds many records. */
export function bodyLimitOf(url: string | undefined): number {
  return LARGE.some((start) => url?.startsWith(start)) ? HOOK_BODY : OTHER_BODY;
}

const LARGE = ['/api/hooks/', '/api/sessions/', '/api/import'];

export const MAX_JSON_DEPTH = 1_000;

/** Open connections over TCP. Viewers need a handful each. */
export const MAX_TCP_CONNECTIONS = 500;
