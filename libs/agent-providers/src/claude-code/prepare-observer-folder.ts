import { chmodSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { messageOf } from '@claude-mem/core';
import { ProviderError } from '../provider-error.js';

/** Files and folders that Claude Code reads from its working folder. */
const READ_BY_CLIENT = /^(?:claude(?:\.local)?\.md|agents\.md|\.claude|\.mcp\.json)$/i;

/** Creates the working folder of the child processes. Other users cannot open it, and it contains no instructions. */
export function prepareObserverFolder(folder: string): void {
  const found = openFolder(folder).find((name) => READ_BY_CLIENT.test(name));
  if (found === undefined) return;
  throw new ProviderError(
    'setup-required',
    `The claude-code observer does not run in ${folder}, because ${found} in it would be read as instructions: remove it.`,
  );
}

function openFolder(folder: string): string[] {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    if ((statSync(folder).mode & 0o077) !== 0) chmodSync(folder, 0o700);
    return readdirSync(folder);
  } catch (error) {
    throw new ProviderError(
      'setup-required',
      `The claude-code observer cannot use its folder ${folder}: ${messageOf(error)}.`,
      { cause: error },
    );
  }
}
