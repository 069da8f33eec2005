/** `2026-11-28`, in the local time of the machine. */
export function localDayOf(epochMs: number): string {
  const date = new Date(epochMs);
  const two = (part: number) => String(part).padStart(2, '0');
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

/** When the local day after this one begins; a day with a change of clocks has 23 or 25 hours. */
export function nextLocalDayEpoch(epochMs: number): number {
  const date = new Date(epochMs);
  return new Date(date.getFullYear(), date.getMonth(), date.getDate() + 1).getTime();
}
