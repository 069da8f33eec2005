import type { HealthDetail } from '@claude-mem/worker-protocol';
import type { CommandContext } from '../command.js';

/** Result of one check. `detail` can have several lines. */
export type CheckResult =
  { state: 'ok'; detail: string } | { state: 'warn' | 'fail'; detail: string; fix: string };

/** Input of the checks. The health of the worker is requested once for all checks. */
export interface CheckContext extends CommandContext {
  /** Null when the worker is not running or does not answer. */
  health: HealthDetail | null;
  /** True when the worker accepts connections and does not answer. */
  isHanging: boolean;
}

export interface Check {
  title: string;
  /** Returns null when the check does not apply. */
  run(examination: CheckContext): Promise<CheckResult | null> | CheckResult | null;
}

export const ok = (detail: string): CheckResult => ({ state: 'ok', detail });
export const warn = (detail: string, fix: string): CheckResult => ({ state: 'warn', detail, fix });
export const fail = (detail: string, fix: string): CheckResult => ({ state: 'fail', detail, fix });
