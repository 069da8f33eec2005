import { formatDay, formatMoment, formatTime } from '../format/format-time.js';

/** Day and time. The title has the full date. `hasDay`: false if a heading already shows the day. */
export function Moment({ epoch, hasDay = true }: { epoch: number; hasDay?: boolean }) {
  return (
    <time dateTime={new Date(epoch).toISOString()} title={formatMoment(epoch)}>
      {hasDay && `${formatDay(epoch)}, `}
      {formatTime(epoch)}
    </time>
  );
}
