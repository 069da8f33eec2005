import type { SessionStatus } from '@claude-mem/core';
import { SESSION_STATUS_LABELS } from './format-session.js';

const TONES: Partial<Record<SessionStatus, string>> = { active: 'good', failed: 'bad' };

export function SessionStatusWord({ status }: { status: SessionStatus }) {
  return (
    <span className="tone" data-tone={TONES[status]}>
      {SESSION_STATUS_LABELS[status]}
    </span>
  );
}
