import { isRecord, messageOf, type Clock } from '@claude-mem/core';
import { failureOfStatus } from '../model/failure-of-status.js';
import { failureOfThrown } from '../model/failure-of-thrown.js';
import { ProviderError } from '../provider-error.js';
import { PROVIDER_ROWS } from '../provider-rows.js';
import type { WatchedConnection } from './watch-connection.js';

const ROW = PROVIDER_ROWS.gemini;

export interface GeminiContext {
  apiKey: string;
  clock: Clock;
  connection: WatchedConnection;
}

/** What the vendor's package threw means. */
export function failureOfGemini(error: unknown, context: GeminiContext): ProviderError {
  if (context.connection.strayed.aborted) return failureOfVendorError({ code: 307 }, context);
  if (isRecord(error) && typeof error.status === 'number')
    return failureOfVendorError({ code: error.status, ...readThrown(error) }, context);
  const cause = /Failed to parse stream|Error parsing JSON response/.test(messageOf(error))
    ? new SyntaxError('the stream')
    : /fetch failed/.test(messageOf(error))
      ? (context.connection.error ?? error)
      : error;
  return failureOfThrown({ row: ROW, error: cause, secrets: [context.apiKey] });
}

/** What `{ code, message, status, details }` means, wherever it came. */
export function failureOfVendorError(
  error: Readonly<Record<string, unknown>>,
  { apiKey, clock }: GeminiContext,
  usage?: null,
): ProviderError {
  const text = JSON.stringify({ error });
  return failureOfStatus({
    row: ROW,
    status: typeof error.code === 'number' ? error.code : null,
    // A day's quota comes with a delay of seconds
    text: /PerDay/.test(text) ? text.replace(/(retryDelay":"|retry in )[\d.]+s/g, '$1midnight') : text,
    now: clock.now(),
    secrets: [apiKey],
    usage,
  });
}

/** Whether a request was refused because of the thinking it asked for. */
export function isAboutThinking(error: unknown): boolean {
  return isRecord(error) && error.status === 400 && /thinking/i.test(messageOf(error));
}

/** The vendor's own words: the package puts the address before them and the details after them. */
function readThrown(error: Readonly<Record<string, unknown>>): { message: string; details: unknown } {
  const details = error.errorDetails ?? [];
  const message = messageOf(error).replace(/^.*?: \[\d{3}[^\]]*\] /s, '');
  const end = message.lastIndexOf(` ${JSON.stringify(details)}`);
  return { message: end === -1 ? message : message.slice(0, end), details };
}
