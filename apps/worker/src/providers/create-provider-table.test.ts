import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createObserverBatch } from '@claude-mem/core/testing';
import { systemClock } from '@claude-mem/core';
import { loadSettings } from '@claude-mem/settings';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createProviderTable } from './create-provider-table.js';

let home: string;
beforeEach(() => void (home = mkdtempSync(join(tmpdir(), 'providers-'))));
afterEach(() => rmSync(home, { recursive: true, force: true }));

/** Writes a package of the vendor that fails with the environment that it would start Claude Code with. */
function writeAgentSdk(dataDir: string): void {
  const folder = join(dataDir, 'node_modules', '@anthropic-ai', 'claude-agent-sdk');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{ "type": "module", "exports": "./sdk.mjs" }');
  const source = 'export const query = ({ options }) => { throw new Error(JSON.stringify(options.env)); };';
  writeFileSync(join(folder, 'sdk.mjs'), source);
}

it('R07: starts Claude Code with the certificate authorities and the proxy of the settings', async () => {
  const dataDir = join(home, 'data');
  const executable = join(home, 'claude');
  writeFileSync(executable, '', { mode: 0o755 });
  writeAgentSdk(dataDir);
  const { settings } = loadSettings({
    home,
    env: {
      CLAUDE_MEM_DATA_DIR: dataDir,
      CLAUDE_CODE_PATH: executable,
      CLAUDE_MEM_CA_FILE: '/etc/company.pem',
      CLAUDE_MEM_PROXY: 'proxy.example:3128',
    },
  });
  const load = createProviderTable({ env: { HOME: home } })['claude-code'];
  const provider = await load?.(settings, { clock: systemClock });
  await using conversation = await provider?.startConversation();
  const request = { instructions: 'Remember.', prompt: 'The cart.', batch: createObserverBatch() };
  const failure = await conversation?.send(request).catch((error: unknown) => String(error));
  expect(failure).toContain('"NODE_EXTRA_CA_CERTS":"/etc/company.pem"');
  expect(failure).toContain('"HTTPS_PROXY":"http://proxy.example:3128/"');
});
