import { ChevronRight } from 'lucide-react';
import { formatMoment } from '../../format/format-time.js';
import { CopyButton } from '../../ui/CopyButton.js';
import type { LogItem } from './log-window.js';
import { fieldsInShort, lineOf, textOf } from './log-words.js';
import styles from './LogList.module.css';

const clock = new Intl.DateTimeFormat(undefined, {
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  hourCycle: 'h23',
});

export function LogRow({ item, isOpen, onToggle }: { item: LogItem; isOpen: boolean; onToggle: () => void }) {
  const { atEpoch, level, message, fields, offset } = item;
  const names = Object.keys(fields);
  return (
    <div className={styles['row']} data-level={level}>
      <button
        type="button"
        className={styles['line']}
        aria-expanded={isOpen}
        aria-controls={isOpen ? `line-${offset}` : undefined}
        onClick={onToggle}
      >
        <ChevronRight aria-hidden size={14} className={styles['arrow']} />
        {atEpoch === null ? (
          <span className={styles['time']}>no time</span>
        ) : (
          <time
            className={styles['time']}
            dateTime={new Date(atEpoch).toISOString()}
            title={formatMoment(atEpoch)}
          >
            {clock.format(atEpoch)}
          </time>
        )}
        <span className={styles['level']}>{level}</span>
        <span className={styles['message']}>
          {message} {!isOpen && <span className={styles['short']}>{fieldsInShort(fields)}</span>}
        </span>
      </button>
      {isOpen && (
        <div id={`line-${offset}`} className={styles['fields']}>
          {names.length === 0 ? (
            <p>This line has no further fields.</p>
          ) : (
            <dl>
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
          <CopyButton text={lineOf(item)} label="the line" />
        </div>
      )}
    </div>
  );
}
