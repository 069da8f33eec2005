import { formatDay, formatMoment, formatTime } from '../format/format-time.js';

/** The day and the time; the full moment is in its title. `hasDay`: false where the day is said near it. */
export function Moment({ epoch, hasDay = true }: { epoch: number; hasDay?: boolean }) {
  return (
    <time dateTime={new Date(epoch).toISOString()} title={formatMoment(epoch)}>
      {hasDay && `${formatDay(epoch)}, `}
      {formatTime(epoch)}
    </time>
  );
}
