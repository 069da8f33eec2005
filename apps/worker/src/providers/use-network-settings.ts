import { readFileSync } from 'node:fs';
import { rootCertificates } from 'node:tls';
import { messageOf } from '@claude-mem/core';
import type { Settings } from '@claude-mem/settings';
import type { Connector } from './create-proxy-connector.js';

/** What decides how the network is reached. */
export type NetworkSettings = Pick<Settings, 'caFile' | 'proxy' | 'noProxy'>;

/** Reached directly whatever the settings say: no proxy is on the way to this machine. */
const THIS_MACHINE = ['localhost', '127.0.0.1', '::1'];

/** Where the `fetch` of Node finds what opens its connections. */
const DISPATCHER = Symbol.for('undici.globalDispatcher.1');
const globals = globalThis as unknown as Record<symbol, object>;

/** The class of the connection pool that Node uses itself and does not export. */
async function agentOfNode(): Promise<new (options: { connect: Connector }) => object> {
  // the first request creates it
  await fetch('data:,');
  const current = globals[DISPATCHER];
  if (current?.constructor.name !== 'Agent')
    throw new Error('this version of Node has no connection pool to replace');
  return current.constructor as new (options: { connect: Connector }) => object;
}

/**
 * Makes every `fetch` of this process trust the certificate authorities of the settings and use their proxy. Node reads its
 * own variables for that once, at its start, and in some versions not at all.
 * @returns what is wrong with the settings, one sentence each; the rest of them is used
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

/** The same settings for a child process, which uses them by the usual variables. */
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

/** The value is not repeated: it may hold a password. */
function readProxy(proxy: string, problems: string[]): string | null {
  const text = /^[a-z]+:\/\//i.test(proxy) ? proxy : `http://${proxy}`;
  if (/^https?:/i.test(text) && URL.canParse(text)) return new URL(text).href;
  problems.push(
    'CLAUDE_MEM_PROXY is not the address of an HTTP proxy, such as http://proxy.example:3128; no proxy is used.',
  );
  return null;
}
