// Figures: percentiles, how they are written, and the machine they come from.
import { readFileSync } from 'node:fs';
import os from 'node:os';

/** The smallest value that at least this share of the values does not pass. */
export function percentile(values, share) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)];
}

export const p50 = (values) => percentile(values, 0.5);
export const p95 = (values) => percentile(values, 0.95);

export const ms = (value) => `${value >= 100 ? Math.round(value) : value.toFixed(1)} ms`;
export const mib = (bytes) => `${(bytes / 2 ** 20).toFixed(0)} MiB`;
export const perSecond = (value) => `${Math.round(value).toLocaleString('en')} events/s`;

/** "p50 8.1 ms, p95 11.0 ms (best 7.6 ms)"; on a busy machine the best is what can be trusted. */
export const p50And95 = (values) =>
  `p50 ${ms(p50(values))}, p95 ${ms(p95(values))} (best ${ms(Math.min(...values))})`;

/** Seconds of processor time that a process has used so far. */
export function processorSeconds(pid) {
  const { user, system } = processorTimes(pid);
  return (user + system) / 100;
}

/** The same of all that this process has started and that has ended, and of what those have started. */
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

/** One line about the machine; the load tells how far to trust the figures. */
export function machine() {
  const cpus = os.cpus();
  const load = os.loadavg().map((value) => value.toFixed(1));
  return `${cpus.length} × ${cpus[0]?.model.trim() ?? 'unknown'}, ${(os.totalmem() / 2 ** 30).toFixed(0)} GiB, ${os.type()} ${os.release()}, Node ${process.versions.node}, load ${load.join(' ')}`;
}

/** One row of the result. `isOk` is null where there is no budget. */
export function row(measure, result, budget = '', isOk = null) {
  return { measure, result, budget, isOk };
}

export function printTable(rows) {
  const verdict = ({ isOk }) => (isOk === null ? '' : isOk ? 'ok' : 'MISSED');
  const cells = [
    ['measure', 'result', 'budget', ''],
    ...rows.map((one) => [one.measure, one.result, one.budget, verdict(one)]),
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
