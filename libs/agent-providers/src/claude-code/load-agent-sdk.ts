import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { isRecord } from '@claude-mem/core';
import { ProviderError } from '../provider-error.js';
import { PROVIDER_ROWS } from '../provider-rows.js';

/** What the observer uses of the vendor's package. */
export interface AgentSdk {
  query(request: { prompt: AsyncIterable<unknown>; options: Record<string, unknown> }): AgentQuery;
}

interface AgentQuery extends AsyncIterator<unknown, unknown> {
  close?(): void;
}

export interface LoadAgentSdkOptions {
  /** A folder whose `node_modules` is searched too. */
  dataDir?: string | undefined;
}

const PACKAGE = PROVIDER_ROWS['claude-code'].package;

/** Imports the agent SDK from beside this library, else from the data directory. */
export async function loadAgentSdk({ dataDir }: LoadAgentSdkOptions = {}): Promise<unknown> {
  const places = [import.meta.url, ...(dataDir === undefined ? [] : [path.join(dataDir, 'package.json')])];
  for (const place of places) {
    const found = resolveFrom(place);
    if (found !== null) return await import(pathToFileURL(found).href);
  }
  const prefix = dataDir === undefined ? '' : ` --prefix "${dataDir}"`;
  throw new ProviderError(
    'setup-required',
    `The claude-code observer needs the package ${PACKAGE}: run "npm install${prefix} --omit=optional ${PACKAGE}".`,
  );
}

export function isAgentSdk(value: unknown): value is AgentSdk {
  return isRecord(value) && typeof value['query'] === 'function';
}

function resolveFrom(place: string): string | null {
  try {
    return createRequire(place).resolve(PACKAGE);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'MODULE_NOT_FOUND') return null;
    throw error;
  }
}
