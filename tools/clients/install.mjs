// npm run test:clients -- --install: puts the real clients that the tests drive into tools/clients/real (about 480 MB).
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { root, run, step } from '../workspace.mjs';

export const REAL = path.join(root, 'tools', 'clients', 'real');

/** Name under which it is installed → the package. The native program of another machine is another package. */
export const CLIENTS = {
  'claude-code-native': {
    package: `@anthropic-ai/claude-code-${process.platform}-${process.arch}@2.1.332`,
    program: ['claude'],
  },
  'claude-code-js': { package: '@anthropic-ai/claude-code@2.1.112', program: ['cli.js'] },
};

/** The plugin is for older ones too: they drop all its hooks for one event that they do not know. */
export const PLUGIN_CLIENTS = {
  ...CLIENTS,
  'claude-code-2.0.77': { package: '@anthropic-ai/claude-code@2.0.77', program: ['cli.js'] },
};

/** Other hosts, large ones (1.1 GB), and the MCP Inspector: only for `--install-hosts`. */
export const HOST_CLIENTS = {
  'gemini-cli': { package: '@google/gemini-cli@0.61.0', program: ['bundle', 'gemini.js'] },
  codex: { package: '@openai/codex@0.171.0', program: ['bin', 'codex.js'] },
  opencode: {
    package: `opencode-${process.platform}-${process.arch}@1.18.33`,
    program: ['bin', 'opencode'],
  },
  // OpenCode gets this by itself at its start, and waits long where it cannot
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
