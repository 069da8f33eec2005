import { readFileSync } from 'node:fs';
import { inheritedNetworkSettings } from '../store-network-settings.js';
import { fail, ok, warn, type Check } from './check.js';

/** Checks the proxy and the certificate authorities for requests to model vendors. */
export const networkCheck: Check = {
  title: 'network',
  run(context) {
    const { caFile, proxy } = context.loaded.settings;
    const problem = caFile === '' ? null : caFileProblem(caFile);
    if (problem !== null) return fail(problem, 'Run: claude-mem settings set CLAUDE_MEM_CA_FILE FILE');
    const detail = [
      proxy === '' ? 'no proxy' : `through the proxy ${proxyHost(proxy)}`,
      caFile === '' ? 'only the default certificate authorities' : `certificate authorities of ${caFile}`,
    ].join(', ');
    const inherited = Object.keys(inheritedNetworkSettings(context));
    if (inherited.length === 0) return ok(detail);
    return warn(
      `${detail}; set only in this environment, which a worker that a host starts may not use: ${inherited.join(', ')}`,
      'Run claude-mem install to store them, or use claude-mem settings set',
    );
  },
};

function caFileProblem(file: string): string | null {
  try {
    return readFileSync(file, 'utf8').includes('-----BEGIN CERTIFICATE-----')
      ? null
      : `CLAUDE_MEM_CA_FILE names ${file}, which contains no certificate in PEM format`;
  } catch (error) {
    return `CLAUDE_MEM_CA_FILE names ${file}, which cannot be read (${(error as NodeJS.ErrnoException).code ?? 'unknown'})`;
  }
}

/** Returns the host of the proxy address without its user and password. */
function proxyHost(proxy: string): string {
  const text = /^[a-z]+:\/\//i.test(proxy) ? proxy : `http://${proxy}`;
  return URL.canParse(text) ? new URL(text).host : 'of CLAUDE_MEM_PROXY';
}
