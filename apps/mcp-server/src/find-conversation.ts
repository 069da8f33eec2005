/** A session, identified by its host. */
export interface Conversation {
  host: 'claude-code';
  contentSessionId: string;
}

/**
 * Returns the conversation of the client, or null when it is not known. Newer versions of Claude Code set CLAUDE_CODE_SESSION_ID.
 * Another host that Claude Code started inherits the variable, so only the client of Claude Code is trusted.
 */
export function findConversation(
  clientName: string | null,
  env: Readonly<Record<string, string | undefined>>,
): Conversation | null {
  const contentSessionId = env['CLAUDE_CODE_SESSION_ID'] ?? '';
  const isNamed = clientName === 'claude-code' && /^[\w.-]{1,200}$/.test(contentSessionId);
  return isNamed ? { host: 'claude-code', contentSessionId } : null;
}
