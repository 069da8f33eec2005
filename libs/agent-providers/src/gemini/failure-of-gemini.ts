import { isRecord, messageOf, PROVIDER_ROWS, type Clock } from '@claude-mem/core';
import { failureOfStatus } from '../model/failure-of-status.js';
import { failureOfThrown } from '../model/failure-of-thrown.js';
import { ProviderError } from '../provider-error.js';
import type { WatchedConnection } from './watch-connection.js';

const ROW = PROVIDER_ROWS.gemini;

export interface GeminiContext {
  apiKey: string;
  clock: Clock;
  connection: WatchedConnection;
}

/** Classifies an error of the vendor's SDK. */
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

/** Classifies an error object `{ code, message, status, details }`. */
export function failureOfVendorError(
  error: Readonly<Record<string, unknown>>,
  { apiKey, clock }: GeminiContext,
  usage?: null,
): ProviderError {
  const text = JSON.stringify({ error });
  return failureOfStatus({
    row: ROW,
    status: typeof error.code === 'number' ? error.code : null,
    // An exhausted daily quota is reported with a delay of seconds.
    text: /PerDay/.test(text) ? text.replace(/(retryDelay":"|retry in )[\d.]+s/g, '$1midnight') : text,
    now: clock.now(),
    secrets: [apiKey],
    usage,
  });
}

/** Checks whether a request was refused because of its thinking parameters. */
export function isAboutThinking(error: unknown): boolean {
  return isRecord(error) && error.status === 400 && /thinking/i.test(messageOf(error));
}

/** Removes the address and the details that the SDK adds to the vendor's message. */
function readThrown(error: Readonly<Record<string, unknown>>): { message: string; details: unknown } {
  const details = error.errorDetails ?? [];
  const message = messageOf(error).replace(/^.*?: \[\d{3}[^\]]*\] /s, '');
  const end = message.lastIndexOf(` ${JSON.stringify(details)}`);
  return { message: end === -1 ? message : message.slice(0, end), details };
}
