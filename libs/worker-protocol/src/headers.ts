/**
 * The header with the token for requests over TCP. `authorization: Bearer …` is accepted too; browsers use a cookie.
 */
export const WORKER_TOKEN_HEADER = 'x-claude-mem-token';
/** Content type of hook.sh: `name: value` lines, an empty line, and then the payload of the host. */
export const HOOK_ENVELOPE_TYPE = 'application/x-claude-mem-hook';
/** Content type of an import with one JSON object per line. */
export const JSON_LINES_TYPE = 'application/x-ndjson';
