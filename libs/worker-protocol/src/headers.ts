/** Carries the token on TCP. `authorization: Bearer …` is read too; browsers have a cookie of their own instead. */
export const WORKER_TOKEN_HEADER = 'x-claude-mem-token';
/** Content type of what hook.sh posts: lines `name: value`, an empty line, then the host's bytes. */
export const HOOK_ENVELOPE_TYPE = 'application/x-claude-mem-hook';
/** Content type of lines of JSON, which an import takes. */
export const JSON_LINES_TYPE = 'application/x-ndjson';
