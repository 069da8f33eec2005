import type { Session, SessionStatus } from '@claude-mem/core';

export const SESSION_STATUS_LABELS: Record<SessionStatus, string> = {
  active: 'Running',
  completed: 'Completed',
  interrupted: 'Interrupted',
  failed: 'Failed',
};

/** Returns a title for a session: its title, the first line of its first prompt, or a name with its id. */
export function sessionTitle({ id, host, title, userPrompt }: SessionName): string {
  const line = (title ?? userPrompt ?? '')
    .split('\n')
    .map((part) => part.trim())
    .find((part) => part !== '');
  if (line !== undefined) return line.length > TITLE_LENGTH ? `${line.slice(0, TITLE_LENGTH)}…` : line;
  if (host === 'manual') return 'Saved outside of a session';
  return host === 'import' ? `Imported session ${id}` : `Session ${id}`;
}

type SessionName = Pick<Session, 'id' | 'host' | 'title' | 'userPrompt'>;
const TITLE_LENGTH = 300;
