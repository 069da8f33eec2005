import { readFileSync } from 'node:fs';
import { rootCertificates } from 'node:tls';
import { messageOf } from '@claude-mem/core';
import type { Settings } from '@claude-mem/settings';

/** What decides how the network is reached. */
export type NetworkSettings = Pick<Settings, 'caFile' | 'proxy' | 'noProxy'>;

/** Reached directly whatever the settings say: no proxy is on the way to this machine. */
const THIS_MACHINE = ['localhost', '127.0.0.1', '::1'];

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
  // a bundle gives a CommonJS package as the default only
  const { Agent, EnvHttpProxyAgent, setGlobalDispatcher } = (await import('undici')).default;
  const tls = ca === null ? {} : { ca: [...rootCertificates, ca] };
  setGlobalDispatcher(
    proxyUrl === null
      ? new Agent({ connect: tls })
      : new EnvHttpProxyAgent({
          httpProxy: proxyUrl,
          httpsProxy: proxyUrl,
          noProxy: [...THIS_MACHINE, ...noProxy].join(','),
          connect: tls,
          requestTls: tls,
          proxyTls: tls,
        }),
  );
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
