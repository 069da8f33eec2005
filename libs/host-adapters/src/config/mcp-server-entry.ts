/** What our MCP server is called in every host; the names of its tools are made from it. */
export const MCP_SERVER_NAME = 'claude-mem';

/** Whether words of an entry start our own program: only such an entry is ever replaced or taken out. */
export function ownProgram(words: readonly unknown[]): string | null {
  const program = words.find(
    (word): word is string => typeof word === 'string' && /[\\/]mcp-server\.(?:js|sh)$/.test(word),
  );
  return program ?? null;
}

export const FOREIGN_SERVER = `has an MCP server "${MCP_SERVER_NAME}" that we did not write`;
