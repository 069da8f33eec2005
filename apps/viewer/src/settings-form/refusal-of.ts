import { isRecord, messageOf } from '@claude-mem/core';
import { WorkerClientError } from '@claude-mem/worker-protocol';

export interface Refusal {
  /** What is wrong on the whole; null where `problems` says it setting by setting. */
  message: string | null;
  /** By key. */
  problems: Record<string, string>;
}

export const NO_REFUSAL: Refusal = { message: null, problems: {} };

/** Why settings were not saved, setting by setting where the worker names them. */
export function refusalOf(error: unknown): Refusal {
  const details = error instanceof WorkerClientError ? error.data?.['details'] : null;
  const listed = isRecord(details) && Array.isArray(details['problems']) ? details['problems'] : [];
  const problems: Record<string, string> = {};
  for (const problem of listed)
    if (isRecord(problem) && typeof problem['key'] === 'string' && typeof problem['message'] === 'string')
      problems[problem['key']] = problem['message'];
  return { message: Object.keys(problems).length > 0 ? null : messageOf(error), problems };
}
