/** What came in since the start. */
export interface CaptureCounters {
  events: number;
  ignored: number;
  failed: number;
  /** Of these, those without a single byte: the hook could not write its file. */
  blank: number;
}

export function createCounters(): CaptureCounters {
  return { events: 0, ignored: 0, failed: 0, blank: 0 };
}
