import { readFileSync } from 'node:fs';
import { rootCertificates } from 'node:tls';
import { messageOf } from '@claude-mem/core';
import type { Settings } from '@claude-mem/settings';
import type { Connector } from './create-proxy-connector.js';

/** The network settings. */
export type NetworkSettings = Pick<Settings, 'caFile' | 'proxy' | 'noProxy'>;

/** Hosts without a proxy in any case, because they are on this machine. */
const THIS_MACHINE = ['localhost', '127.0.0.1', '::1'];

/** The global symbol under which Node's `fetch` finds its connection pool. */
const DISPATCHER = Symbol.for('undici.globalDispatcher.1');
const globals = globalThis as unknown as Record<symbol, object>;

/** The class of Node's own connection pool, which Node does not export. */
async function agentOfNode(): Promise<new (options: { connect: Connector }) => object> {
  // The first request creates it.
  await fetch('data:,');
  const current = globals[DISPATCHER];
  if (current?.constructor.name !== 'Agent')
    throw new Error('this version of Node has no connection pool to replace');
  return current.constructor as new (options: { connect: Connector }) => object;
}

/**
 * Makes every `fetch` of this process use the certificate authorities and the proxy of the settings. Node reads its
 * own variables only at its start, and some versions not at all.
 * @returns the problems of the settings, one sentence each; the other settings are used
 */
export async function useNetworkSettings(settings: NetworkSettings): Promise<readonly string[]> {
  const { caFile, proxy, noProxy } = settings;
  if (caFile === '' && proxy === '') return [];
  const problems: string[] = [];
  const ca = caFile === '' ? null : readAuthorities(caFile, problems);
  const proxyUrl = proxy === '' ? null : readProxy(proxy, problems);
  if (ca === null && proxyUrl === null) return problems;
  const { createProxyConnector } = await import('./create-proxy-connector.js');
  const connect = createProxyConnector({
    proxy: proxyUrl === null ? null : new URL(proxyUrl),
    noProxy: [...THIS_MACHINE, ...noProxy],
    ca: ca === null ? undefined : [...rootCertificates, ca],
  });
  globals[DISPATCHER] = new (await agentOfNode())({ connect });
  return problems;
}

/** Returns the same settings as environment variables of a child process. */
export function networkEnvironment({ caFile, proxy, noProxy }: NetworkSettings): Record<string, string> {
  const proxyUrl = proxy === '' ? null : readProxy(proxy, []);
  return {
    ...(caFile === '' ? {} : { NODE_EXTRA_CA_CERTS: caFile }),
    ...(proxyUrl === null
      ? {}
      : {
          HTTP_PROXY: proxyUrl,
          HTTPS_PROXY: proxyUrl,
          NO_PROXY: [...THIS_MACHINE, ...noProxy].join(','),
        }),
  };
}

function readAuthorities(file: string, problems: string[]): string | null {
  try {
    const text = readFileSync(file, 'utf8');
    if (text.includes('-----BEGIN CERTIFICATE-----')) return text;
    problems.push(
      `CLAUDE_MEM_CA_FILE names ${file}, which holds no certificate in PEM format; it is not used.`,
    );
  } catch (error) {
    problems.push(
      `CLAUDE_MEM_CA_FILE names ${file}, which cannot be read (${messageOf(error)}); it is not used.`,
    );
  }
  return null;
}

/** The value is not repeated, because it may contain a password. */
function readProxy(proxy: string, problems: string[]): string | null {
  const text = /^[a-z]+:\/\//i.test(proxy) ? proxy : `http://${proxy}`;
  if (/^https?:/i.test(text) && URL.canParse(text)) return new URL(text).href;
  problems.push(
    'CLAUDE_MEM_PROXY is not the address of an HTTP proxy, such as http://proxy.example:3128; no proxy is used.',
  );
  return null;
}
