import { ChevronRight } from 'lucide-react';
import { formatMoment } from '../../format/format-time.js';
import { CopyButton } from '../../ui/CopyButton.js';
import type { LogItem } from './log-window.js';
import { formatFields, formatLine, textOf } from './format-log.js';
import styles from './LogList.module.css';

const clock = new Intl.DateTimeFormat(undefined, {
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  hourCycle: 'h23',
});

const TONES: Record<string, string | undefined> = { warn: 'warning', error: 'bad' };

export function LogRow({ item, isOpen, onToggle }: { item: LogItem; isOpen: boolean; onToggle: () => void }) {
  const { atEpoch, level, message, fields, offset } = item;
  const names = Object.keys(fields);
  return (
    <div className={styles['row']} data-tone={TONES[level]}>
      <button
        type="button"
        className={`small ${styles['line']}`}
        aria-expanded={isOpen}
        aria-controls={isOpen ? `line-${offset}` : undefined}
        onClick={onToggle}
      >
        <ChevronRight aria-hidden size={14} />
        {atEpoch === null ? (
          <span className="muted mono tiny">no time</span>
        ) : (
          <time
            className="muted mono tiny"
            dateTime={new Date(atEpoch).toISOString()}
            title={formatMoment(atEpoch)}
          >
            {clock.format(atEpoch)}
          </time>
        )}
        <span className="tag">{level}</span>
        <span className={`${isOpen ? '' : 'two-lines'} ${styles['message']}`}>
          {message} {!isOpen && <span className="muted mono tiny">{formatFields(fields)}</span>}
        </span>
      </button>
      {isOpen && (
        <div id={`line-${offset}`} className={`row top pad small ${styles['fields']}`}>
          {names.length === 0 ? (
            <p className="grow">This line has no other fields.</p>
          ) : (
            <dl className="facts grow">
              {names.map((name) => (
                <div key={name}>
                  <dt>{name}</dt>
                  <dd>
                    <pre>{textOf(fields[name], 2)}</pre>
                  </dd>
                </div>
              ))}
            </dl>
          )}
          <CopyButton text={formatLine(item)} label="the line" />
        </div>
      )}
    </div>
  );
}
