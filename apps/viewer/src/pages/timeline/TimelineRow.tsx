import { RecordLink } from '../../records/RecordLink.js';
import { describeRecord, type RecordEntry } from '../../records/describe-record.js';
import { Moment } from '../../ui/Moment.js';
import { TypeBadge } from '../../ui/TypeBadge.js';
import styles from './TimelineRow.module.css';

/** One record in one line. */
export function TimelineRow({ entry, isAnchor }: { entry: RecordEntry; isAnchor: boolean }) {
  const { type, title } = describeRecord(entry);
  return (
    <div className={`small ${styles['row']}`} data-anchor={isAnchor || undefined}>
      <span className="muted tiny">
        <Moment epoch={entry.item.createdAtEpoch} hasDay={false} />
      </span>
      <TypeBadge type={type} />
      {isAnchor ? (
        <strong className="one-line">{title}</strong>
      ) : (
        <RecordLink entry={entry} className="one-line">
          {title}
        </RecordLink>
      )}
    </div>
  );
}
