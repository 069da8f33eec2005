/** Formats the local date of the machine, such as `2026-11-28`. */
export function localDayOf(epochMs: number): string {
  const date = new Date(epochMs);
  const two = (part: number) => String(part).padStart(2, '0');
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

/** Returns the start of the next local day. A day with a clock change has 23 or 25 hours. */
export function nextLocalDayEpoch(epochMs: number): number {
  const date = new Date(epochMs);
  return new Date(date.getFullYear(), date.getMonth(), date.getDate() + 1).getTime();
}
