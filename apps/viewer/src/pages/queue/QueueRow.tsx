import type { QueueItem } from '@claude-mem/worker-protocol';
import { Link } from '@tanstack/react-router';
import { CirclePause, Clock, LoaderCircle } from 'lucide-react';
import { formatBytes, formatCount } from '../../format/format-number.js';
import { hostLabel } from '../../format/host-label.js';
import { Ago } from '../../ui/Ago.js';
import { Button } from '../../ui/Button.js';
import { STATUS_LABELS, titleOf } from './format-queue.js';

const TONES = { parked: 'warning', processing: 'good', pending: undefined };
const ICONS = { parked: CirclePause, processing: LoaderCircle, pending: Clock };

export function QueueRow({
  item,
  shownReason,
  isSelected,
  onSelect,
  onRetry,
  onDrop,
}: {
  item: QueueItem;
  shownReason: string | null;
  isSelected: boolean;
  onSelect: (isSelected: boolean) => void;
  onRetry: (button: Element) => void;
  onDrop: (button: Element) => void;
}) {
  const Icon = ICONS[item.status];
  const title = titleOf(item);
  const name = `${title}, message ${item.id}`;
  return (
    <div className="row top pad" data-tone={TONES[item.status]}>
      <input
        type="checkbox"
        aria-label={`Select ${name}`}
        checked={isSelected}
        disabled={item.status === 'processing'}
        onChange={(event) => onSelect(event.target.checked)}
      />
      <div className="grow">
        <p className="row baseline">
          <span className="tag">
            <Icon aria-hidden size={14} />
            {STATUS_LABELS[item.status]}
          </span>
          <strong>{title}</strong>
          {item.subject !== null && <code className="muted two-lines">{item.subject}</code>}
        </p>
        <p className="meta">
          {item.project === '' ? (
            <span>deleted session</span>
          ) : (
            <>
              <span>{item.project}</span>
              {item.host !== null && <span>{hostLabel(item.host)}</span>}
              <Link to="/sessions/$id" params={{ id: item.sessionId }}>
                session {item.sessionId}
              </Link>
            </>
          )}
          <span>
            received <Ago epoch={item.createdAtEpoch} />
          </span>
          <span>{formatBytes(item.bytes)}</span>
          {item.attempts > 0 && (
            <span>
              {formatCount(item.attempts)} failed {item.attempts === 1 ? 'attempt' : 'attempts'}
            </span>
          )}
          <NextAttempt item={item} />
        </p>
        <Reason item={item} shownReason={shownReason} />
      </div>
      <div className="row gap-0">
        {item.status === 'parked' && (
          <Button
            variant="quiet"
            onClick={({ currentTarget }) => onRetry(currentTarget)}
            aria-label={`Retry ${name}`}
          >
            Retry
          </Button>
        )}
        {item.status !== 'processing' && (
          <Button
            variant="quiet"
            onClick={({ currentTarget }) => onDrop(currentTarget)}
            aria-label={`Drop ${name}`}
          >
            Drop
          </Button>
        )}
      </div>
    </div>
  );
}

function NextAttempt({ item: { status, attempts, availableAtEpoch, claimedAtEpoch } }: { item: QueueItem }) {
  if (status === 'processing' && claimedAtEpoch !== null)
    return (
      <span>
        running since <Ago epoch={claimedAtEpoch} />
      </span>
    );
  // a message that was never tried has no time for a retry
  if (status !== 'pending' || attempts === 0) return null;
  return (
    <span>
      next attempt <Ago epoch={availableAtEpoch} />
    </span>
  );
}

function Reason({
  item: { status, reason, lastError },
  shownReason,
}: {
  item: QueueItem;
  shownReason: string | null;
}) {
  const message = reason ?? lastError;
  if (message === null || message === shownReason) return null;
  return (
    <p className="small">
      {message}
      {status === 'parked' && (
        <span className="muted">
          {' '}
          Retry it after the cause is fixed. Drop it if it fails again for the same reason.
        </span>
      )}
    </p>
  );
}
