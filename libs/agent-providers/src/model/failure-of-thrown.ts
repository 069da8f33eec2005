import { messageOf } from '@claude-mem/core';
import { NO_USAGE } from '../no-usage.js';
import { ProviderError } from '../provider-error.js';
import type { ProviderRow } from '../provider-rows.js';
import { maskVendorText } from './mask-vendor-text.js';

export interface ThrownFailure {
  row: ProviderRow;
  error: unknown;
  secrets: readonly string[];
}

/**
 * What it means that a call threw without a status: no connection, a connection that broke, or an answer that could
 * not be read. The original error is not kept: it may hold the request with its key.
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
  const said = code ?? maskVendorText(messageOf(causes.at(-1)), secrets);
  if (code !== null && NOT_CONNECTED.has(code))
    return new ProviderError('network', `The ${row.name} observer cannot reach its vendor (${code}).`, {
      data: { provider: row.name, reason: code },
      usage: NO_USAGE,
    });
  return isTimeout
    ? new ProviderError('timeout', `The ${row.name} observer got no answer in time (${said}).`, {
        data: { provider: row.name, reason: said },
      })
    : new ProviderError('network', `The connection of the ${row.name} observer broke (${said}).`, {
        data: { provider: row.name, reason: said },
      });
}

/** The proxy opened no way to the vendor. */
const PROXY_REFUSAL = /Proxy response \((\d{3})\)/;

/** There was no connection: nothing was sent, nothing can have been charged. */
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

/** The error and what caused it, outermost first. */
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
