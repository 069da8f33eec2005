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
    <div className={styles['row']} data-anchor={isAnchor || undefined}>
      <Moment epoch={item.createdAtEpoch} hasDay={false} />
      <span className={styles['type']}>
        <TypeBadge type={type} />
      </span>
      {isAnchor ? (
        <strong className={styles['title']}>{title}</strong>
      ) : kind === 'observation' ? (
        <Link to="/observations/$id" params={{ id: item.id }} className={styles['title']}>
          {title}
        </Link>
      ) : (
        <Link to="/sessions/$id" params={{ id: item.sessionId }} className={styles['title']}>
          {title}
        </Link>
      )}
    </div>
  );
}
