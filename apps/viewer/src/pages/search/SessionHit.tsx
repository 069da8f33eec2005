import type { FoundItem } from '@claude-mem/worker-protocol';
import { Link } from '@tanstack/react-router';
import { MessagesSquare } from 'lucide-react';
import type { ReactNode } from 'react';
import { hostLabel } from '../../format/host-label.js';
import { excerptOf } from '../../records/mark-terms.js';
import { Marked } from '../../records/Marked.js';
import { Ago } from '../../ui/Ago.js';
import { TypeBadge } from '../../ui/TypeBadge.js';
import styles from '../../records/RecordCard.module.css';

/** A session as a search result: its summary, and the observations that matched. */
export function SessionHit({
  hit: { item, project, host },
  terms,
  children,
}: {
  hit: Extract<FoundItem, { kind: 'session' }>;
  terms: readonly string[];
  children: ReactNode;
}) {
  const { id, title, userPrompt, summary, hits, lastActivityEpoch, projectId } = item;
  const name = title ?? summary?.request ?? userPrompt ?? `Session ${id}`;
  const excerpt = [summary?.completed, summary?.learned].filter(Boolean).join(' ');
  return (
    <article className={`card stack gap-1 ${styles['card']}`}>
      <header className={`row nowrap muted tiny ${styles['header']}`}>
        <span className="tag">
          <MessagesSquare aria-hidden size={13} />
          session
        </span>
        <Link to="/projects/$id" params={{ id: projectId }} className="strong one-line">
          {project}
        </Link>
        <span>{hostLabel(host)}</span>
        <span className="end">
          <Ago epoch={lastActivityEpoch} />
        </span>
      </header>
      <h3>
        <Link to="/sessions/$id" params={{ id }} data-record-link>
          <Marked text={excerptOf(name, terms, TITLE_LENGTH)} terms={terms} />
        </Link>
      </h3>
      {excerpt !== '' && (
        <p className="two-lines muted small">
          <Marked text={excerptOf(excerpt, terms, EXCERPT_LENGTH)} terms={terms} />
        </p>
      )}
      {hits.length > 0 && (
        <ul className="stack gap-1 small">
          {hits.slice(0, MAX_HITS).map((observation) => (
            <li key={observation.id} className="row nowrap">
              <TypeBadge type={observation.type} />
              <Link to="/observations/$id" params={{ id: observation.id }} className="one-line">
                <Marked text={observation.title ?? `#${observation.id}`} terms={terms} />
              </Link>
            </li>
          ))}
        </ul>
      )}
      {children}
    </article>
  );
}

const TITLE_LENGTH = 160;
const EXCERPT_LENGTH = 280;
const MAX_HITS = 4;
