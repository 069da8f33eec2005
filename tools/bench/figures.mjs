// Computes percentiles, formats figures, and creates the rows of the result table.
import { readFileSync } from 'node:fs';
import os from 'node:os';

/**
 * Returns the smallest value that is at least as large as this share of the values. Throws when there are no values.
 */
export function percentile(values, share) {
  if (values.length === 0) throw new Error('no samples');
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)];
}

export const p50 = (values) => percentile(values, 0.5);
export const p95 = (values) => percentile(values, 0.95);

export const ms = (value) => `${value >= 100 ? Math.round(value) : value.toFixed(1)} ms`;
export const mib = (bytes) => `${(bytes / 2 ** 20).toFixed(0)} MiB`;
export const perSecond = (value) => `${Math.round(value).toLocaleString('en')} events/s`;

/** Formats values as "p50 8.1 ms, p95 11.0 ms (best 7.6 ms)". Other processes affect the best value least. */
export const p50And95 = (values) =>
  `p50 ${ms(p50(values))}, p95 ${ms(p95(values))} (best ${ms(Math.min(...values))})`;

/** Returns the processor time of a process in seconds. */
export function processorSeconds(pid) {
  const { user, system } = processorTimes(pid);
  return (user + system) / 100;
}

/** Returns the processor time of all descendants of this process that have exited, in seconds. */
export function secondsOfChildren() {
  const { userOfChildren, systemOfChildren } = processorTimes('self');
  return (userOfChildren + systemOfChildren) / 100;
}

function processorTimes(pid) {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [user, system, userOfChildren, systemOfChildren] = fields.slice(11, 15).map(Number);
  return { user, system, userOfChildren, systemOfChildren };
}

export function residentBytes(pid) {
  const line = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
  return Number(line?.[1] ?? 0) * 1024;
}

/** Formats the machine and its load in one line. Figures from a machine under load are less reliable. */
export function machine() {
  const cpus = os.cpus();
  const load = os.loadavg().map((value) => value.toFixed(1));
  return `${cpus.length} × ${cpus[0]?.model.trim() ?? 'unknown'}, ${(os.totalmem() / 2 ** 30).toFixed(0)} GiB, ${os.type()} ${os.release()}, Node ${process.versions.node}, load ${load.join(' ')}`;
}

/** Creates a row of the result table. `isOk` is null if the measurement has no budget. */
export function row(measure, result, budget = '', isOk = null) {
  const verdict = isOk === null ? '' : isOk ? 'ok' : 'MISSED';
  return { measure, result, budget, verdict };
}

/** Creates the row of a measurement that failed. The bench then exits with code 1. */
export function failedRow(measure, reason, budget = '') {
  return { measure, result: `not measured: ${reason}`, budget, verdict: 'FAILED' };
}

/** Creates the row of a measurement that this machine cannot run. */
export const skippedRow = (measure, reason) => row(measure, `skipped: ${reason}`);

export function printTable(rows) {
  const cells = [
    ['measure', 'result', 'budget', ''],
    ...rows.map(({ measure, result, budget, verdict }) => [measure, result, budget, verdict]),
  ];
  const widths = [0, 1, 2].map((column) => Math.max(...cells.map((line) => line[column].length)));
  for (const [index, line] of cells.entries()) {
    console.log(
      line
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join(' | ')
        .trimEnd(),
    );
    if (index === 0) console.log(widths.map((width) => '-'.repeat(width)).join('-|-') + '-|-------');
  }
}
