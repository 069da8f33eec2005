import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { parse as parseJson } from 'jsonc-parser';
import { parse } from 'smol-toml';
import { adapterFor } from '../adapter-for.js';
import type { HostAdapter, InstallResult } from '../host-adapter.js';

const adapter = (host: string) => adapterFor(host) as HostAdapter;
const options = (folder: string, dataDir?: string) => ({
  hookScript: `${folder}/hook.sh`,
  mcpServer: { node: '/usr/bin/node', script: `${folder}/mcp-server.js` },
  dataDir,
});

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'host files-'));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const fileWithServer = (results: readonly InstallResult[]) =>
  results.find(({ hasMcpServer }) => hasMcpServer)?.file ?? '';

function serverIn(file: string): Record<string, unknown> {
  const text = readFileSync(file, 'utf8');
  const value: unknown = file.endsWith('.toml') ? parse(text) : parseJson(text);
  const { mcpServers, mcp_servers, mcp } = value as Record<string, Record<string, Record<string, unknown>>>;
  return (mcpServers ?? mcp_servers ?? mcp)?.['claude-mem'] ?? {};
}

describe.each(['claude-code', 'cursor', 'gemini-cli', 'opencode'])(
  'the MCP server entry in a JSON file of %s',
  (host) => {
    const env = host === 'opencode' ? 'environment' : 'env';
    const befores = [
      null,
      '{}',
      host === 'opencode' ? '{\n  // mine\n  "theme": "dark",\n}\n' : '{\n  "theme": "dark"\n}\n',
      `{"${host === 'opencode' ? 'mcp' : 'mcpServers'}":{"tickets":{"command":["x"]}}}`,
    ];

    it.each(befores)(
      'keeps keys that a person added when it is updated, and uninstall restores %j',
      async (before) => {
        const first = await adapter(host).install({ home, ...options('/opt/one') });
        const file = fileWithServer(first);
        await adapter(host).uninstall({ home });
        if (before !== null) {
          mkdirSync(dirname(file), { recursive: true });
          writeFileSync(file, before);
        }
        await adapter(host).install({ home, ...options('/opt/one') });
        const comment = host === 'opencode' || host === 'gemini-cli' ? ' // a comment\n' : '';
        const added = `${comment} "disabled": true, "trust": false, "${env}" : {"LANG": "C"},`;
        writeFileSync(
          file,
          readFileSync(file, 'utf8').replace(/"claude-mem": ?\{/, (found) => found + added),
        );
        const withExtras = readFileSync(file, 'utf8');

        const same = await adapter(host).install({ home, ...options('/opt/one') });
        expect(readFileSync(file, 'utf8')).toBe(withExtras);
        expect(same.find((result) => result.file === file)).toMatchObject({
          change: 'unchanged',
          extras: ['disabled', 'trust', `${env}.LANG`],
        });

        await adapter(host).install({ home, ...options('/opt/two', '/srv/memory') });
        expect(readFileSync(file, 'utf8')).toContain(`${comment} "disabled": true, "trust": false,`);
        expect(serverIn(file)).toMatchObject({
          disabled: true,
          trust: false,
          [env]: { LANG: 'C', CLAUDE_MEM_DATA_DIR: '/srv/memory' },
        });
        expect(JSON.stringify(serverIn(file))).toContain('/opt/two/mcp-server.js');
        expect(JSON.stringify(serverIn(file))).not.toContain('/opt/one');

        await adapter(host).install({ home, ...options('/opt/one') });
        expect(serverIn(file)).toMatchObject({ disabled: true, [env]: { LANG: 'C' } });
        expect(serverIn(file)[env]).toEqual({ LANG: 'C' });

        const removed = await adapter(host).uninstall({ home });
        expect(removed.find((result) => result.file === file)).toMatchObject({
          change: 'removed',
          extras: ['disabled', 'trust', `${env}.LANG`],
          after: before,
        });
      },
    );
  },
);

it('keeps an OpenCode server disabled when a person disabled it', async () => {
  const { file = '' } = (await adapter('opencode').install({ home, ...options('/opt/one') })).at(-1) ?? {};
  writeFileSync(file, readFileSync(file, 'utf8').replace('"enabled": true', '"enabled": false'));
  await adapter('opencode').install({ home, ...options('/opt/two') });
  expect(serverIn(file)).toMatchObject({
    enabled: false,
    command: ['/usr/bin/node', '/opt/two/mcp-server.js'],
  });
});

describe('the MCP server entry in config.toml of Codex', () => {
  const file = () => join(home, '.codex', 'config.toml');
  const put = (text: string) => {
    mkdirSync(dirname(file()), { recursive: true });
    writeFileSync(file(), text);
  };
  const read = () => readFileSync(file(), 'utf8');
  const theirs = '\n[projects."/repos/shop"] # mine\ntrust_level = "trusted"\n';

  it.each([
    ['a key', 'startup_timeout_sec = 20\n', ['startup_timeout_sec']],
    [
      'keys and remarks',
      '# slow\nenabled = false # for now\n"tool_timeout_sec" = 1.5\n',
      ['enabled', 'tool_timeout_sec'],
    ],
    ['a list over lines', 'enabled_tools = [\n  "a]", # one\n  \'b"\',\n]\n', ['enabled_tools']],
    [
      'a long text before a table of others',
      `note = """\n[mcp_servers.claude-mem]\n""""\n${theirs}`,
      ['note'],
    ],
    ['a table', '\n[mcp_servers.claude-mem.tools.forget]\napproval = "never"\n', ['tools']],
    ['variables with dots in their keys', 'env.LANG = "C"\n', ['env.LANG']],
    ['variables in a table', '[mcp_servers.claude-mem.env]\nLANG = "C"\n', ['env.LANG']],
    ['a table behind one of others', `${theirs}\n[mcp_servers.claude-mem.tools.forget]\nx = 1\n`, ['tools']],
  ])('keeps %s that a person added, and uninstall removes the added text', async (_, more, extras) => {
    put('model = "x"\n');
    await adapter('codex').install({ home, ...options('/opt/one') });
    put(read() + more);
    const before = serverIn(file());
    for (const step of [
      options('/opt/two', '/srv/memory'),
      options('/opt/two', '/srv/other'),
      options('/opt/one'),
    ]) {
      await adapter('codex').install({ home, ...step });
      const env = {
        ...(before['env'] as object),
        ...(step.dataDir && { CLAUDE_MEM_DATA_DIR: step.dataDir }),
      };
      const { env: found = {}, ...rest } = serverIn(file());
      expect({ ...rest, env: found }).toEqual({ ...before, args: [step.mcpServer.script], env });
      expect(parse(read())['model']).toBe('x');
    }
    const again = read();
    expect(
      (await adapter('codex').install({ home, ...options('/opt/one') })).map(({ change }) => change),
    ).toEqual(['unchanged', 'unchanged']);
    expect(read()).toBe(again);
    const removed = await adapter('codex').uninstall({ home });
    expect(removed[1]).toMatchObject({ change: 'removed', extras });
    expect(read().trimEnd()).toBe(`model = "x"\n${more.includes('projects') ? theirs : ''}`.trimEnd());
  });

  it('keeps variables that a person added in an inline table', async () => {
    await adapter('codex').install({ home, ...options('/opt/one', '/srv/memory') });
    put(read().replace('env = {', 'env = { "A B" = "1",'));
    await adapter('codex').install({ home, ...options('/opt/one', '/srv/other') });
    expect(serverIn(file())['env']).toEqual({ 'A B': '1', CLAUDE_MEM_DATA_DIR: '/srv/other' });
    await adapter('codex').install({ home, ...options('/opt/one') });
    expect(serverIn(file())['env']).toEqual({ 'A B': '1' });
    await adapter('codex').uninstall({ home });
    expect(() => read()).toThrow(/ENOENT/);
  });

  it('keeps line endings that a person changed', async () => {
    const before = 'model = "x"\r\n';
    put(before);
    await adapter('codex').install({ home, ...options('/opt/one') });
    put(`${read()}note = """a\nb"""\n`);
    const withNote = read();
    await adapter('codex').install({ home, ...options('/opt/one') });
    expect(read()).toBe(withNote);
    await adapter('codex').uninstall({ home });
    expect(read()).toBe(before);
  });

  it('is removed from a file that quotes the entry in a string', async () => {
    await adapter('codex').install({ home, ...options('/opt/one') });
    const before = `note = """\n${read()}"""\n`;
    put(before);
    await adapter('codex').install({ home, ...options('/opt/one') });
    const installed = read();
    await adapter('codex').install({ home, ...options('/opt/two') });
    await adapter('codex').install({ home, ...options('/opt/one') });
    expect(read()).toBe(installed);
    await adapter('codex').uninstall({ home });
    expect(read()).toBe(before);
  });

  it('is removed from a file with CRLF, a byte-order mark and added keys', async () => {
    const before = '\ufeffmodel = "x"\r\n';
    put(before);
    await adapter('codex').install({ home, ...options('/opt/one') });
    put(`${read()}enabled = false\r\n`);
    await adapter('codex').install({ home, ...options('/opt/two') });
    expect(read()).not.toMatch(/[^\r]\n/);
    expect(serverIn(file())).toMatchObject({ enabled: false, args: ['/opt/two/mcp-server.js'] });
    await adapter('codex').uninstall({ home });
    expect(read()).toBe(before);
  });
});
