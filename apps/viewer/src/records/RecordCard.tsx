import { formatFreshness, formatSavedBy } from '@claude-mem/core';
import { Link } from '@tanstack/react-router';
import { FileClock, Pin, Replace } from 'lucide-react';
import type { ReactNode } from 'react';
import { hostLabel } from '../format/host-label.js';
import { lastPart } from '../format/last-part.js';
import { Moment } from '../ui/Moment.js';
import { TypeBadge } from '../ui/TypeBadge.js';
import { excerptOf } from './mark-terms.js';
import { Marked } from './Marked.js';
import { RecordActions } from './RecordActions.js';
import { RecordLink } from './RecordLink.js';
import { describeRecord, type RecordEntry } from './describe-record.js';
import styles from './RecordCard.module.css';

/**
 * A record in a list: the start of its text, its origin and, for an observation, its actions.
 * @param isNew highlights the record, because it arrived while the list was open
 * @param hasDay false if a heading shows the day
 * @param hasOrigin false if all records are from the session in the heading
 * @param isFixed fills a row of fixed height
 */
export function RecordCard({
  entry,
  terms,
  isNew = false,
  hasDay = true,
  hasOrigin = true,
  isFixed = false,
  children,
}: {
  entry: RecordEntry;
  terms?: readonly string[] | undefined;
  isNew?: boolean;
  hasDay?: boolean;
  hasOrigin?: boolean;
  isFixed?: boolean;
  /** Shown at the end of the card. */
  children?: ReactNode;
}) {
  const { kind, item } = entry;
  const { id, type, title, text } = describeRecord(entry);
  const supersededBy = kind === 'observation' ? item.supersededBy : null;
  const savedBy = kind === 'observation' ? formatSavedBy(item.source) : '';
  const freshness = kind === 'observation' && item.freshness ? formatFreshness(item.freshness) : '';
  return (
    <article
      className={`card stack gap-1 ${styles['card']}`}
      data-kind={kind}
      data-new={isNew || undefined}
      data-fixed={isFixed || undefined}
      data-superseded={supersededBy !== null || undefined}
    >
      <header className={`row nowrap muted tiny ${styles['header']}`}>
        <TypeBadge type={type} />
        {savedBy !== '' && <span className="one-line">{savedBy}</span>}
        {kind === 'observation' && item.pinned && (
          <span className={STATE}>
            <Pin aria-hidden size={12} />
            pinned
          </span>
        )}
        {supersededBy !== null && (
          <Link to="/observations/$id" params={{ id: supersededBy }} className={STATE}>
            <Replace aria-hidden size={12} />
            superseded by #{supersededBy}
          </Link>
        )}
        {freshness !== '' && (
          <span className={STATE} title={freshness}>
            <FileClock aria-hidden size={12} />
            {freshness}
          </span>
        )}
        {isNew && <span className={`strong ${styles['new']}`}>new</span>}
        <span className={`row nowrap end ${styles['end']}`}>
          {kind === 'observation' && (
            <span className={styles['actions']}>
              <RecordActions observation={item} />
            </span>
          )}
          <span data-record-id>{id}</span>
          <Moment epoch={item.createdAtEpoch} hasDay={hasDay} />
        </span>
      </header>
      <h3 className={isFixed ? `two-lines ${styles['title']}` : undefined}>
        <RecordLink entry={entry}>
          <Marked text={title} terms={terms} />
        </RecordLink>
      </h3>
      {text !== '' && (
        <p className={`two-lines muted small ${styles['text']}`}>
          <Marked text={excerptOf(text, terms ?? [], MAX_SHOWN)} terms={terms} />
        </p>
      )}
      <Origin entry={entry} terms={terms} isExpanded={hasOrigin} />
      {children}
    </article>
  );
}

/** Maximum characters of an excerpt. More do not fit in a card. */
const MAX_SHOWN = 600;
const MAX_FILES = 3;
const STATE = `one-line muted ${styles['state']}`;

function Origin({
  entry,
  terms,
  isExpanded,
}: {
  entry: RecordEntry;
  terms: readonly string[] | undefined;
  isExpanded: boolean;
}) {
  const { kind, item, project, host } = entry;
  const { files } = describeRecord(entry);
  if (!isExpanded && files.length === 0) return null;
  return (
    <footer className={`row nowrap muted tiny ${styles['origin']}`}>
      {isExpanded && (
        <>
          {kind === 'prompt' ? (
            <span className="strong">{project}</span>
          ) : (
            <Link to="/projects/$id" params={{ id: item.projectId }} className="strong">
              {project}
            </Link>
          )}
          {host !== undefined && <span>{hostLabel(host)}</span>}
          <Link to="/sessions/$id" params={{ id: item.sessionId }}>
            session {item.sessionId}
          </Link>
        </>
      )}
      {files.slice(0, MAX_FILES).map((path) => (
        <Link
          key={path}
          to="/files"
          search={{ path, project }}
          className={`mono ${styles['file']}`}
          title={path}
        >
          <Marked text={lastPart(path)} terms={terms} />
        </Link>
      ))}
      {files.length > MAX_FILES && <span>+{files.length - MAX_FILES} files</span>}
    </footer>
  );
}
