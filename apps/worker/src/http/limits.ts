const HOOK_BODY = 32 * 1024 * 1024;
const OTHER_BODY = 1024 * 1024;

/** Largest body in bytes. Host events, raw or normalised, may hold whole files. */
export function bodyLimitOf(url: string | undefined): number {
  const takesEvents = url?.startsWith('/api/hooks/') || url?.startsWith('/api/sessions/');
  return takesEvents ? HOOK_BODY : OTHER_BODY;
}

export const MAX_JSON_DEPTH = 1_000;
