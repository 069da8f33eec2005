import { SearchError } from '../search-error.js';

/** Imports an optional package. When it is missing, the error names the command that installs it. */
export async function importPackage<Module>(name: string, load: () => Promise<Module>): Promise<Module> {
  try {
    return await load();
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? cause.code : null;
    if (code !== 'ERR_MODULE_NOT_FOUND' && code !== 'MODULE_NOT_FOUND') throw cause;
    throw new SearchError(
      'search/embedder-unavailable',
      `This embedder needs the package ${name}: run "npm install ${name}".`,
      { cause },
    );
  }
}
