import type { ChromaClient } from 'chromadb';
import { SearchError } from '../search-error.js';

interface ChromaCredentials {
  tenant: string;
  database: string;
  token: string | undefined;
}

/** Imports the client package on first use. */
export type LoadChromaClient = () => Promise<unknown>;

/** The connection to the current address of the server. */
export interface Connection {
  client(): Promise<ChromaClient>;
  /** Aborts all requests. The next call of `client` connects again. */
  drop(): void;
  /** Aborts all requests, also later ones of the same client. */
  close(): void;
}

export function createConnection(options: {
  credentials: ChromaCredentials;
  url: () => string | Promise<string>;
  loadClient: LoadChromaClient;
  onDrop: () => void;
}): Connection {
  const { credentials, loadClient, onDrop } = options;
  let current: { url: string; client: Promise<ChromaClient>; ending: AbortController } | null = null;

  const drop = () => {
    current?.ending.abort();
    current = null;
    onDrop();
  };
  return {
    async client() {
      const url = await options.url();
      if (current?.url !== url) {
        drop();
        const ending = new AbortController();
        current = { url, ending, client: createClient(url, credentials, loadClient, ending.signal) };
      }
      return current.client;
    },
    drop,
    close: () => current?.ending.abort(),
  };
}

/** The requests of the client end with the signal. It never follows a redirect, which would receive the token. */
async function createClient(
  url: string,
  { tenant, database, token }: ChromaCredentials,
  load: LoadChromaClient,
  signal: AbortSignal,
): Promise<ChromaClient> {
  const { hostname, port, protocol } = new URL(url);
  const { ChromaClient } = await loadClient(load);
  return new ChromaClient({
    host: hostname,
    port: Number(port) || (protocol === 'https:' ? 443 : 80),
    ssl: protocol === 'https:',
    tenant,
    database,
    headers: token === undefined ? {} : { 'x-chroma-token': token, authorization: `Bearer ${token}` },
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
