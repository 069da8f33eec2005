const UNITS = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
  ['s', 1_000],
] as const;

/** Formats a duration with its two largest units: `2 d 3 h`, `4 min 10 s`. Less than a second is `0 s`. */
export function formatDuration(ms: number): string {
  const first = UNITS.findIndex(([, length]) => ms >= length);
  const [large, small] = UNITS.slice(first === -1 ? -1 : first);
  if (large === undefined) return '0 s';
  const major = `${Math.floor(Math.max(0, ms) / large[1])} ${large[0]}`;
  const rest = small === undefined ? 0 : Math.floor((ms % large[1]) / small[1]);
  return small === undefined || rest === 0 ? major : `${major} ${rest} ${small[0]}`;
}
