import type { ChromaClient } from 'chromadb';
import { SearchError } from '../search-error.js';

/** URL and credentials of the Chroma server. */
export interface ChromaAddress {
  url: string;
  tenant: string;
  database: string;
  token: string | undefined;
}

/** Imports the client package on first use. */
export type LoadChromaClient = () => Promise<unknown>;

/** Creates a client whose requests end with the signal. It never follows a redirect, which would receive the token. */
export async function connectToChroma(
  address: ChromaAddress,
  load: LoadChromaClient,
  signal: AbortSignal,
): Promise<ChromaClient> {
  const { hostname, port, protocol } = new URL(address.url);
  const { ChromaClient } = await loadClient(load);
  return new ChromaClient({
    host: hostname,
    port: Number(port) || (protocol === 'https:' ? 443 : 80),
    ssl: protocol === 'https:',
    tenant: address.tenant,
    database: address.database,
    headers:
      address.token === undefined
        ? {}
        : { 'x-chroma-token': address.token, authorization: `Bearer ${address.token}` },
    fetchOptions: { redirect: 'error', signal },
  });
}

async function loadClient(load: LoadChromaClient): Promise<{ ChromaClient: typeof ChromaClient }> {
  try {
    return (await load()) as { ChromaClient: typeof ChromaClient };
  } catch (error) {
    throw new SearchError(
      'search/vector-index-unavailable',
      'the Chroma client is not installed; fix: run "npm install chromadb@3.5" where claude-mem is installed, or set CLAUDE_MEM_VECTOR_INDEX to flat',
      { cause: error },
    );
  }
}
