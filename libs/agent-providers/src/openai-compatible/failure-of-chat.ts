import { isRecord, type Clock, type ProviderRow } from '@claude-mem/core';
import { failureOfStatus } from '../model/failure-of-status.js';
import { maskVendorText } from '../model/mask-vendor-text.js';
import { vendorText } from '../model/vendor-text.js';
import { ProviderError } from '../provider-error.js';

export interface ChatFailure {
  /** Null when the error came inside a stream without a status. */
  status: number | null;
  headers?: Pick<Headers, 'get'> | undefined;
  text: string;
  /** Null when a part of the reply may have been charged. */
  usage?: null;
}

export interface ChatFailureContext {
  row: ProviderRow;
  clock: Clock;
  apiKey: string | null;
}

/** Classifies a response that is not a reply. */
export function failureOfChat(
  { status, headers, text, usage }: ChatFailure,
  { row, clock, apiKey }: ChatFailureContext,
): ProviderError {
  const secrets = apiKey === null ? [] : [apiKey];
  if (status === 403 && MODERATION.test(text)) {
    // The rest of the body quotes the prompt.
    const refusal = maskVendorText(vendorText(text).message, secrets);
    return new ProviderError(
      'rejected',
      `The ${row.name} observer was refused this request by a filter (403). It says: "${refusal}"`,
      { data: { provider: row.name, status } },
    );
  }
  const isPassing = status === 402 && text.includes('in_flight_budget');
  return failureOfStatus({
    row,
    status: isPassing ? 429 : status,
    headers,
    text,
    now: clock.now(),
    secrets,
    usage,
  });
}

/** An error inside a stream or a choice: `{ code, message, … }` or text. The code may be an HTTP status. */
export function readStreamError(error: unknown): ChatFailure {
  const code = isRecord(error) ? Number(error.code ?? error.status) : Number.NaN;
  const isStatus = Number.isInteger(code) && code >= 400 && code < 600;
  return {
    status: isStatus ? code : null,
    text: typeof error === 'string' ? error : JSON.stringify({ error }),
    usage: null,
  };
}

const MODERATION = /moderation|flagged|guardrail/i;
