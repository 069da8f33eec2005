import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { adapterFor } from '../adapter-for.js';
import type { HostAdapter } from '../host-adapter.js';

const adapter = (host: string) => adapterFor(host) as HostAdapter;
const options = {
  hookScript: '/opt/hook.sh',
  mcpServer: { node: '/usr/bin/node', script: '/opt/mcp-server.js' },
  dataDir: '/srv/memory',
};
const comment = '// "linear": {} is off for now';

let home: string;
beforeEach(() => (home = mkdtempSync(join(tmpdir(), 'comments-'))));
afterEach(() => rmSync(home, { recursive: true, force: true }));

/** Installs into a file with this text (null: no file), then inserts the comment behind a position. */
async function installWithComment(host: string, before: string | null, position: string): Promise<string> {
  const files = await adapter(host).inspect({ home });
  const file = files.find((each) => each.file.endsWith('.json'))?.file ?? '';
  if (before !== null) {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, before);
  }
  await adapter(host).install({ home, ...options });
  const text = readFileSync(file, 'utf8');
  expect(text).toContain(position);
  writeFileSync(file, text.replace(position, `${position} ${comment}\n`));
  return file;
}

const groups = '"BeforeAgent": [';
const hooks = `${groups}\n      {\n        "hooks": [`;
const cases: [host: string, position: string, left: string][] = [
  ['opencode', '{', '{}'],
  ['opencode', '"mcp": {', '{"mcp":{}}'],
  ['opencode', '"mcp":', '{"mcp":{}}'],
  ['gemini-cli', '{', '{}'],
  ['gemini-cli', '"mcpServers": {', '{"mcpServers":{}}'],
  ['gemini-cli', '"hooks": {', '{"hooks":{}}'],
  ['gemini-cli', groups, '{"hooks":{"BeforeAgent":[]}}'],
  ['gemini-cli', hooks, '{"hooks":{"BeforeAgent":[{"hooks":[]}]}}'],
];

describe.each(cases)('the file of %s with a comment of the user behind %j', (host, position, left) => {
  const theirs = '{\n  "theme": "x"\n}\n';

  it.each([
    ['created', null, left],
    ['extended', theirs, left.replace('{', left === '{}' ? '{"theme":"x"' : '{"theme":"x",')],
  ])('keeps the comment when uninstall restores a file that claude-mem %s', async (_, before, expected) => {
    const file = await installWithComment(host, before, position);
    await adapter(host).uninstall({ home });
    const text = readFileSync(file, 'utf8');
    expect(text).toContain(` ${comment}\n`);
    expect(text.replace(comment, '').replace(/\s/g, '')).toBe(expected);
  });

  it.each([null, theirs])(
    'keeps the comment when a second install follows and the file was %j',
    async (before) => {
      const file = await installWithComment(host, before, position);
      const commented = readFileSync(file, 'utf8');
      await adapter(host).uninstall({ home });
      const uninstalled = readFileSync(file, 'utf8');

      writeFileSync(file, commented);
      await adapter(host).install({ home, ...options });
      expect(readFileSync(file, 'utf8')).toContain(` ${comment}\n`);
      const third = await adapter(host).install({ home, ...options });
      expect(third.map(({ change }) => change)).toEqual(third.map(() => 'unchanged'));
      await adapter(host).uninstall({ home });
      expect(readFileSync(file, 'utf8')).toBe(uninstalled);
    },
  );
});

it.each([
  ['opencode', '"claude-mem": {'],
  ['opencode', '"environment": {'],
  ['gemini-cli', '"claude-mem": {'],
  ['gemini-cli', '"env": {'],
])(
  'keeps a comment in the MCP server entry of %s behind %j when an install updates it',
  async (host, position) => {
    const file = await installWithComment(host, null, position);
    const commented = readFileSync(file, 'utf8');
    await adapter(host).install({ home, ...options });
    expect(readFileSync(file, 'utf8')).toBe(commented);
    await adapter(host).install({ home, ...options, dataDir: undefined });
    expect(readFileSync(file, 'utf8')).toContain(`${position} ${comment}\n`);
    expect(readFileSync(file, 'utf8')).not.toContain(options.dataDir);
  },
);
