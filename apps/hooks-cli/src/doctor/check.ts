import type { HealthDetail } from '@claude-mem/worker-protocol';
import type { CommandContext } from '../command.js';

/** What one check found, on one line or several; anything but ok says how to mend it. */
export type Finding =
  { state: 'ok'; detail: string } | { state: 'warn' | 'fail'; detail: string; fix: string };

/** What checks look at; the worker is asked once. */
export interface Examination extends CommandContext {
  /** Null when the worker is away or silent. */
  health: HealthDetail | null;
  /** It is there and gives no answer. */
  isHanging: boolean;
}

export interface Check {
  title: string;
  /** Null when it does not apply. */
  run(examination: Examination): Promise<Finding | null> | Finding | null;
}

export const ok = (detail: string): Finding => ({ state: 'ok', detail });
export const warn = (detail: string, fix: string): Finding => ({ state: 'warn', detail, fix });
export const fail = (detail: string, fix: string): Finding => ({ state: 'fail', detail, fix });
