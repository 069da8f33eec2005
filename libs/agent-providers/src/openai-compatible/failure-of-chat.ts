import { isRecord, type Clock } from '@claude-mem/core';
import { failureOfStatus } from '../model/failure-of-status.js';
import { maskVendorText } from '../model/mask-vendor-text.js';
import { vendorWords } from '../model/vendor-words.js';
import { ProviderError } from '../provider-error.js';
import type { ProviderRow } from '../provider-rows.js';

export interface ChatFailure {
  /** Null: the error came inside a stream and names no status. */
  status: number | null;
  headers?: Pick<Headers, 'get'> | undefined;
  text: string;
  /** Null: a part of the reply may have been charged before it. */
  usage?: null;
}

export interface ChatFailureContext {
  row: ProviderRow;
  clock: Clock;
  apiKey: string | null;
}

/** What an answer that is no reply means. */
export function failureOfChat(
  { status, headers, text, usage }: ChatFailure,
  { row, clock, apiKey }: ChatFailureContext,
): ProviderError {
  const secrets = apiKey === null ? [] : [apiKey];
  if (status === 403 && MODERATION.test(text)) {
    // The rest of the body quotes the prompt
    const said = maskVendorText(vendorWords(text).message, secrets);
    return new ProviderError(
      'rejected',
      `The ${row.name} observer was refused this request by a filter (403). It says: "${said}"`,
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

/** An error that came inside a stream or in a choice: `{ code, message, … }`, where the code may be a status, or text alone. */
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
