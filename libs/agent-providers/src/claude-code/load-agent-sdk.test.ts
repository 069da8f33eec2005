import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { isAgentSdk, loadAgentSdk } from './load-agent-sdk.js';

function dataDir() {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'cm-sdk-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

it('names the install command when the package is missing', async () => {
  const folder = dataDir();
  await expect(loadAgentSdk({ dataDir: folder })).rejects.toMatchObject({
    code: 'provider/setup-required',
    message: expect.stringContaining(
      `npm install --prefix "${folder}" --omit=optional @anthropic-ai/claude-agent-sdk`,
    ),
  });
});

it('finds the package in the data folder after it was installed there', async () => {
  const folder = dataDir();
  await expect(loadAgentSdk({ dataDir: folder })).rejects.toThrow();
  const place = path.join(folder, 'node_modules', '@anthropic-ai', 'claude-agent-sdk');
  mkdirSync(place, { recursive: true });
  writeFileSync(
    path.join(place, 'package.json'),
    JSON.stringify({ type: 'module', exports: { '.': { default: './sdk.mjs' } } }),
  );
  writeFileSync(path.join(place, 'sdk.mjs'), 'export const query = () => "found";');
  const sdk = await loadAgentSdk({ dataDir: folder });
  expect(isAgentSdk(sdk)).toBe(true);
});

it('rejects a package without `query`', () => {
  expect(isAgentSdk({})).toBe(false);
  expect(isAgentSdk(null)).toBe(false);
});
