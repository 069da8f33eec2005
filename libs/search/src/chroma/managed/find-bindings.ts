import { createRequire } from 'node:module';
import { SearchError } from '../../search-error.js';

const PACKAGES: Readonly<Record<string, string>> = {
  'linux-x64': 'chromadb-js-bindings-linux-x64-gnu',
  'linux-arm64': 'chromadb-js-bindings-linux-arm64-gnu',
  'darwin-x64': 'chromadb-js-bindings-darwin-x64',
  'darwin-arm64': 'chromadb-js-bindings-darwin-arm64',
  'win32-x64': 'chromadb-js-bindings-win32-x64-msvc',
};

/**
 * Returns the path of the server binary, an optional platform package of `chromadb`.
 * @throws SearchError `search/vector-index-unavailable`
 */
export function findBindings(): string {
  const machine = `${process.platform}-${process.arch}`;
  const name = PACKAGES[machine];
  if (name === undefined) throw missing(`there is no Chroma server for this machine (${machine})`);
  const require = createRequire(import.meta.url);
  try {
    return require.resolve(name);
  } catch {
    // In an installation that is not flat, the package is below the client package.
  }
  try {
    return createRequire(require.resolve('chromadb')).resolve(name);
  } catch (error) {
    throw missing(
      `the Chroma server is not installed; run "npm install chromadb@3.5 ${name}" where claude-mem is installed`,
      error,
    );
  }
}

function missing(reason: string, cause?: unknown): SearchError {
  return new SearchError(
    'search/vector-index-unavailable',
    `${reason}, give the address of a running one (CLAUDE_MEM_CHROMA_URL), or set CLAUDE_MEM_VECTOR_INDEX to flat`,
    { cause },
  );
}
