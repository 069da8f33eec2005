/** Formats a time as `2026-11-28 14:30` in the local time zone. */
export function formatTime(epochMs: number): string {
  const date = new Date(epochMs);
  const two = (part: number) => String(part).padStart(2, '0');
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  return `${day} ${two(date.getHours())}:${two(date.getMinutes())}`;
}

/** Formats a duration in its largest unit: `3 min`, `2 h`. */
export function formatDuration(ms: number): string {
  const units = [
    ['d', 86_400_000],
    ['h', 3_600_000],
    ['min', 60_000],
    ['s', 1_000],
  ] as const;
  const [unit, size] = units.find(([, size]) => ms >= size) ?? ['ms', 1];
  return `${Math.floor(ms / size)} ${unit}`;
}
