import { Link } from '@tanstack/react-router';
import { recordWords, type RecordEntry } from '../../records/record-words.js';
import { Moment } from '../../ui/Moment.js';
import { TypeBadge } from '../../ui/TypeBadge.js';
import styles from './TimelineRow.module.css';

/** One record in one line. */
export function TimelineRow({ entry, isAnchor }: { entry: RecordEntry; isAnchor: boolean }) {
  const { kind, item } = entry;
  const { type, title } = recordWords(entry);
  return (
    <div className={`small ${styles['row']}`} data-anchor={isAnchor || undefined}>
      <span className="muted tiny">
        <Moment epoch={item.createdAtEpoch} hasDay={false} />
      </span>
      <TypeBadge type={type} />
      {isAnchor ? (
        <strong className="one-line">{title}</strong>
      ) : kind === 'observation' ? (
        <Link to="/observations/$id" params={{ id: item.id }} className="one-line">
          {title}
        </Link>
      ) : (
        <Link to="/sessions/$id" params={{ id: item.sessionId }} className="one-line">
          {title}
        </Link>
      )}
    </div>
  );
}
