import { isRecord, messageOf } from '@claude-mem/core';
import { WorkerClientError } from '@claude-mem/worker-protocol';

export interface Rejection {
  /** Error message. Null when `problems` contains the messages. */
  message: string | null;
  /** Problems by key of the setting. */
  problems: Record<string, string>;
}

export const NO_REJECTION: Rejection = { message: null, problems: {} };

/** Returns why the worker rejected settings, by setting if possible. */
export function parseRejection(error: unknown): Rejection {
  const details = error instanceof WorkerClientError ? error.data?.['details'] : null;
  const listed = isRecord(details) && Array.isArray(details['problems']) ? details['problems'] : [];
  const problems: Record<string, string> = {};
  for (const problem of listed)
    if (isRecord(problem) && typeof problem['key'] === 'string' && typeof problem['message'] === 'string')
      problems[problem['key']] = problem['message'];
  return { message: Object.keys(problems).length > 0 ? null : messageOf(error), problems };
}
