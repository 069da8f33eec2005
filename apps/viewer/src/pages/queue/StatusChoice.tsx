import type { PendingStatus, QueueCounts } from '@claude-mem/core';
import { formatCount } from '../../format/format-number.js';
import { Button } from '../../ui/Button.js';
import { SHOWN_ORDER } from './queue-query.js';
import { STATUS_WORDS } from './queue-words.js';

/** Which messages are shown; null: all. */
export function StatusChoice({
  value,
  onChange,
  counts,
}: {
  value: PendingStatus | null;
  onChange: (status: PendingStatus | null) => void;
  counts: QueueCounts | null;
}) {
  const total = counts && counts.parked + counts.processing + counts.pending;
  return (
    <div className="choice" role="group" aria-label="Show">
      <Choice isOn={value === null} onClick={() => onChange(null)} words="All" count={total} />
      {SHOWN_ORDER.map((status) => (
        <Choice
          key={status}
          isOn={value === status}
          onClick={() => onChange(status)}
          words={STATUS_WORDS[status]}
          count={counts && counts[status]}
        />
      ))}
    </div>
  );
}

function Choice({
  isOn,
  onClick,
  words,
  count,
}: {
  isOn: boolean;
  onClick: () => void;
  words: string;
  count: number | null;
}) {
  return (
    <Button look="quiet" aria-pressed={isOn} onClick={onClick}>
      {words}
      {count !== null && <span className="muted">{formatCount(count)}</span>}
    </Button>
  );
}
