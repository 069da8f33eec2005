import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { isRecord, PROVIDER_ROWS } from '@claude-mem/core';
import { ProviderError } from '../provider-error.js';

/** The part of the agent SDK that the observer uses. */
export interface AgentSdk {
  query(request: { prompt: AsyncIterable<unknown>; options: Record<string, unknown> }): AgentQuery;
}

interface AgentQuery extends AsyncIterator<unknown, unknown> {
  close?(): void;
}

export interface LoadAgentSdkOptions {
  /** An additional folder whose `node_modules` is searched. */
  dataDir?: string | undefined;
}

const PACKAGE = PROVIDER_ROWS['claude-code'].package;

/** Imports the agent SDK from the packages of this library, or else from the data folder. */
export async function loadAgentSdk({ dataDir }: LoadAgentSdkOptions = {}): Promise<unknown> {
  const folders = [import.meta.url, ...(dataDir === undefined ? [] : [path.join(dataDir, 'package.json')])];
  for (const folder of folders) {
    const found = resolveFrom(folder);
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

function resolveFrom(folder: string): string | null {
  try {
    return createRequire(folder).resolve(PACKAGE);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'MODULE_NOT_FOUND') return null;
    throw error;
  }
}
