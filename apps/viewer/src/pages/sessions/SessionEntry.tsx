import type { Session } from '@claude-mem/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { hostLabel } from '../../format/host-label.js';
import { counted } from '../../format/counted.js';
import { formatDuration } from '../../format/format-duration.js';
import { Ago } from '../../ui/Ago.js';
import { sessionTitle } from './format-session.js';
import { SessionStatusWord } from './SessionStatusWord.js';
import styles from './SessionEntry.module.css';

/** A session in a list. `project` is shown when the list contains several projects. */
export function SessionEntry({
  session,
  project,
  prompts = session.promptCounter,
  children,
}: {
  session: Session;
  project?: string;
  prompts?: number;
  children?: ReactNode;
}) {
  const { id, host, status, createdAtEpoch, lastActivityEpoch } = session;
  return (
    <article className={styles['entry']}>
      <Link to="/sessions/$id" params={{ id }} className="two-lines strong">
        {sessionTitle(session)}
      </Link>
      <p className={`meta ${styles['facts']}`}>
        {project !== undefined && <span className="strong">{project}</span>}
        <span>{hostLabel(host)}</span>
        <SessionStatusWord status={status} />
        {prompts > 0 && <span>{counted(prompts, 'prompt')}</span>}
        {children}
        {lastActivityEpoch - createdAtEpoch >= 1_000 && (
          <span>{formatDuration(lastActivityEpoch - createdAtEpoch)}</span>
        )}
      </p>
      <span className={`muted small ${styles['when']}`}>
        <Ago epoch={createdAtEpoch} />
      </span>
    </article>
  );
}
