/** `YYYY-MM-DD` of the machine's time zone. */
export function localDay(epoch: number): string {
  const date = new Date(epoch);
  const part = (value: number, length: number) => String(value).padStart(length, '0');
  return `${part(date.getFullYear(), 4)}-${part(date.getMonth() + 1, 2)}-${part(date.getDate(), 2)}`;
}

/** When the next day begins there: not always 24 h after this one did, and not always at 0:00. */
export function nextLocalDay(epoch: number): number {
  const date = new Date(epoch);
  return new Date(date.getFullYear(), date.getMonth(), date.getDate() + 1).getTime();
}
