import { messageOf, type ProviderRow } from '@claude-mem/core';
import { NO_USAGE } from '../no-usage.js';
import { ProviderError } from '../provider-error.js';
import { maskVendorText } from './mask-vendor-text.js';

export interface ThrownFailure {
  row: ProviderRow;
  error: unknown;
  secrets: readonly string[];
}

/**
 * Classifies an error without an HTTP status: no connection, a broken connection, or an unreadable answer. The
 * original error is dropped, because it may contain the request with its key.
 */
export function failureOfThrown({ row, error, secrets }: ThrownFailure): ProviderError {
  if (ProviderError.isInstance(error)) return error;
  const causes = causesOf(error);
  if (causes.some((cause) => cause instanceof SyntaxError))
    return new ProviderError('bad-reply', `The ${row.name} observer got an answer that cannot be read.`, {
      data: { provider: row.name },
    });
  const code = causes.map(codeOf).find((found) => found !== null) ?? null;
  const refusedWith = causes.map((cause) => PROXY_REFUSAL.exec(messageOf(cause))?.[1]).find(Boolean);
  if (refusedWith !== undefined)
    return new ProviderError(
      'network',
      `The ${row.name} observer cannot reach its vendor: the proxy answered ${refusedWith} (CLAUDE_MEM_PROXY).`,
      { data: { provider: row.name, reason: `proxy ${refusedWith}` }, usage: NO_USAGE },
    );
  const isTimeout = causes.some((cause) => /timed? ?out/i.test(`${codeOf(cause) ?? ''} ${messageOf(cause)}`));
  const reason = code ?? maskVendorText(messageOf(causes.at(-1)), secrets);
  if (code !== null && NOT_CONNECTED.has(code))
    return new ProviderError('network', `The ${row.name} observer cannot reach its vendor (${code}).`, {
      data: { provider: row.name, reason: code },
      usage: NO_USAGE,
    });
  return isTimeout
    ? new ProviderError('timeout', `The ${row.name} observer got no answer in time (${reason}).`, {
        data: { provider: row.name, reason },
      })
    : new ProviderError('network', `The connection of the ${row.name} observer broke (${reason}).`, {
        data: { provider: row.name, reason },
      });
}

/** The proxy refused the connection to the vendor. */
const PROXY_REFUSAL = /Proxy response \((\d{3})\)/;

/** There was no connection, so nothing was sent or charged. */
const NOT_CONNECTED: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
  'CERT_HAS_EXPIRED',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'ERR_TLS_CERT_ALTNAME_INVALID',
]);

/** The error and its causes, outermost first. */
function causesOf(error: unknown): unknown[] {
  const causes: unknown[] = [];
  for (let cause = error; cause !== undefined && cause !== null && causes.length < 8;) {
    causes.push(cause);
    cause = cause instanceof Error ? cause.cause : undefined;
  }
  return causes;
}

function codeOf(cause: unknown): string | null {
  const code = cause instanceof Error && 'code' in cause ? cause.code : null;
  return typeof code === 'string' ? code : null;
}
