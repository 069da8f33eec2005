import type { PendingStatus, QueueCounts } from '@claude-mem/core';
import { formatCount } from '../../format/format-number.js';
import { ChoiceButtons } from '../../ui/ChoiceButtons.js';
import { SHOWN_ORDER } from './queue-query.js';
import { STATUS_LABELS } from './format-queue.js';

/** Selects the status of the shown messages. Null selects all. */
export function StatusChoice({
  counts,
  ...choice
}: {
  value: PendingStatus | null;
  onChange: (status: PendingStatus | null) => void;
  counts: QueueCounts | null;
}) {
  const option = (value: PendingStatus | null, words: string, count: number | null) => ({
    value,
    label: (
      <>
        {words}
        {count !== null && <span className="muted">{formatCount(count)}</span>}
      </>
    ),
  });
  return (
    <ChoiceButtons
      label="Show"
      options={[
        option(null, 'All', counts && counts.parked + counts.processing + counts.pending),
        ...SHOWN_ORDER.map((status) => option(status, STATUS_LABELS[status], counts && counts[status])),
      ]}
      {...choice}
    />
  );
}
