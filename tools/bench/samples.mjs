// Runs samples and measurements. A failure does not end the run.
import { failedRow, row } from './figures.mjs';

const SAMPLE_TIMEOUT_MS = 30_000;
const MAX_REASON_LENGTH = 300;

/** The samples of one measurement. Counts the samples that throw and keeps the reason of the first failure. */
export class Samples {
  values = [];
  #missed = 0;
  #firstReason = '';

  /** Adds the value that `take` returns. Never rejects. A warm-up sample never counts, even if it fails. */
  async add(take, { isWarmUp = false } = {}) {
    try {
      const value = await take();
      if (!isWarmUp) this.values.push(value);
    } catch (error) {
      if (isWarmUp) return;
      this.#missed += 1;
      this.#firstReason ||= formatReason(error);
    }
  }

  /**
   * Formats the missed samples.
   * @returns for example "1 of 200 samples missed: timed out after 30 s", or an empty string when none is missing
   */
  formatMissed() {
    if (this.#missed === 0) return '';
    return `${this.#missed} of ${this.#missed + this.values.length} samples missed: ${this.#firstReason}`;
  }
}

/**
 * Creates the row of a measurement from its samples. The measurement fails when there are no values.
 * @param options.format formats the values
 * @param options.isWithin compares the values with the budget
 */
export function sampleRow(measure, samples, { format, budget = '', isWithin = null }) {
  const { values } = samples;
  const missed = samples.formatMissed();
  if (values.length === 0) return failedRow(measure, missed || 'no samples', budget);
  const result = missed === '' ? format(values) : `${format(values)}; ${missed}`;
  return row(measure, result, budget, isWithin === null ? null : isWithin(values));
}

/**
 * Runs measurements in order. One that throws becomes a failed row, and the others still run.
 * @param measurements pairs of a name and a function that returns rows
 */
export async function runMeasurements(measurements) {
  const rows = [];
  for (const [name, measure] of measurements) {
    try {
      rows.push(...((await measure()) ?? []));
    } catch (error) {
      console.error(error);
      rows.push(failedRow(name, formatReason(error)));
    }
  }
  return rows;
}

/** Rejects when the promise is still pending after `timeoutMs`. */
export async function withTimeout(promise, timeoutMs = SAMPLE_TIMEOUT_MS) {
  let timer;
  const timeout = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`timed out after ${timeoutMs / 1_000} s`)), timeoutMs);
  });
  try {
    return await Promise.race([promise, timeout]);
  } finally {
    clearTimeout(timer);
  }
}

/** Formats an error and its cause in one line. */
function formatReason(error) {
  const messages = error instanceof Error ? [error.message, error.cause?.message] : [String(error)];
  const text = messages.filter(Boolean).join(': ').replace(/\s+/g, ' ').trim();
  return text.length > MAX_REASON_LENGTH ? `${text.slice(0, MAX_REASON_LENGTH)}…` : text;
}
