// npm run test:clients -- --install: installs the real clients for the tests into tools/clients/real (about 480 MB).
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { root, run, step } from '../workspace.mjs';

export const REAL = path.join(root, 'tools', 'clients', 'real');

/** Program of each client by the folder of its package. Other platforms use other packages. */
export const CLIENTS = {
  'claude-code-native': {
    package: `@anthropic-ai/claude-code-${process.platform}-${process.arch}@2.1.332`,
    program: ['claude'],
  },
  'claude-code-js': { package: '@anthropic-ai/claude-code@2.1.112', program: ['cli.js'] },
};

/**
 * Older clients for the tests of the plugin. They ignore all hooks of a plugin if they do not know one of its events.
 */
export const PLUGIN_CLIENTS = {
  ...CLIENTS,
  'claude-code-2.0.77': { package: '@anthropic-ai/claude-code@2.0.77', program: ['cli.js'] },
};

/** Packages that are installed only with `--install-hosts`: other hosts (1.1 GB) and the MCP Inspector. */
export const HOST_CLIENTS = {
  'gemini-cli': { package: '@google/gemini-cli@0.61.0', program: ['bundle', 'gemini.js'] },
  codex: { package: '@openai/codex@0.171.0', program: ['bin', 'codex.js'] },
  opencode: {
    package: `opencode-${process.platform}-${process.arch}@1.18.33`,
    program: ['bin', 'opencode'],
  },
  // OpenCode installs this package at its start, and without a network it waits for a long time.
  'opencode-plugin': { package: '@opencode-ai/plugin@1.18.33', program: ['package.json'] },
  'mcp-inspector': { package: '@modelcontextprotocol/inspector@0.22.0', program: ['cli', 'build', 'cli.js'] },
};

export async function installClients(clients) {
  mkdirSync(REAL, { recursive: true });
  writeFileSync(path.join(REAL, 'package.json'), '{ "private": true }\n');
  const wanted = Object.entries(clients).map(([name, client]) => `${name}@npm:${client.package}`);
  const options = [
    '--ignore-scripts',
    '--engine-strict=false',
    '--no-save',
    '--no-package-lock',
    '--loglevel=error',
  ];
  await step('Installing the real clients', () =>
    run('npm', ['install', ...options, ...wanted], { cwd: REAL }),
  );
}
