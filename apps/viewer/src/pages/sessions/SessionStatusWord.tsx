import type { SessionStatus } from '@claude-mem/core';
import { SESSION_STATUS_WORDS } from './session-words.js';
import styles from './Sessions.module.css';

export function SessionStatusWord({ status }: { status: SessionStatus }) {
  return (
    <span className={styles['status']} data-status={status}>
      {SESSION_STATUS_WORDS[status]}
    </span>
  );
}
