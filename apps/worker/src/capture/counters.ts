/** What came in since the start. */
export interface CaptureCounters {
  events: number;
  ignored: number;
  failed: number;
}

export function createCounters(): CaptureCounters {
  return { events: 0, ignored: 0, failed: 0 };
}
