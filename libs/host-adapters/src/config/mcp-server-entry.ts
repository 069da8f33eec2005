import { isAbsolute } from 'node:path';

/** What our MCP server is called in every host; the names of its tools are made from it. */
export const MCP_SERVER_NAME = 'claude-mem';

/**
 * The programs that the words of an entry start, or null when ours is not among them: only an entry of ours is ever replaced or taken
 * out.
 */
export function ownPrograms(words: readonly unknown[]): readonly string[] | null {
  const paths = words.filter((word): word is string => typeof word === 'string' && isAbsolute(word));
  return paths.some((path) => /[\\/]mcp-server\.(?:js|sh)$/.test(path)) ? paths : null;
}

export const FOREIGN_SERVER = `has an MCP server "${MCP_SERVER_NAME}" that we did not write`;
