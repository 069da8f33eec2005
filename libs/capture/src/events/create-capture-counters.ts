/** Counts of events since the start. */
export interface CaptureCounters {
  events: number;
  ignored: number;
  failed: number;
  /** Failed events without content, because the hook could not write its file. */
  blank: number;
}

export function createCaptureCounters(): CaptureCounters {
  return { events: 0, ignored: 0, failed: 0, blank: 0 };
}
