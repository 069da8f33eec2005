/** A conversation as its host names it. */
export interface Conversation {
  host: 'claude-code';
  contentSessionId: string;
}

/**
 * The conversation that a client serves, where its host says it; null: that is not known. Claude Code names it to what it starts, in
 * versions that do. Another host may have been started by it and have inherited the name, so only its own client is believed.
 */
export function conversationOf(
  clientName: string | null,
  env: Readonly<Record<string, string | undefined>>,
): Conversation | null {
  const contentSessionId = env['CLAUDE_CODE_SESSION_ID'] ?? '';
  const isNamed = clientName === 'claude-code' && /^[\w.-]{1,200}$/.test(contentSessionId);
  return isNamed ? { host: 'claude-code', contentSessionId } : null;
}
