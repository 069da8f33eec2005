import type { ProviderRow } from '@claude-mem/core';
import { ProviderError } from '../provider-error.js';

/** Imports a package. When the package is not installed, the error names the command that installs it. */
export async function importPackage<Module>(row: ProviderRow, load: () => Promise<Module>): Promise<Module> {
  try {
    return await load();
  } catch (error) {
    if (!isMissing(error)) throw error;
    throw new ProviderError(
      'setup-required',
      `The ${row.name} observer needs the package ${row.package}: run "npm install ${row.package}".`,
    );
  }
}

function isMissing(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : null;
  return code === 'ERR_MODULE_NOT_FOUND' || code === 'MODULE_NOT_FOUND';
}
