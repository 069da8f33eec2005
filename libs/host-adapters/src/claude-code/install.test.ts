import { execFileSync, spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { adapterFor } from '../adapter-for.js';
import type { HostAdapter, InstallResult } from '../host-adapter.js';
import { HostAdaptersError } from '../host-adapters-error.js';

let home: string;
let file: string;
const adapter = adapterFor('claude-code') as HostAdapter;
const hookScript = '/opt/claude mem/hook.sh';
const install = async (extra = {}) => hooksResult(await adapter.install({ home, hookScript, ...extra }));
const uninstall = async (extra = {}) => hooksResult(await adapter.uninstall({ home, ...extra }));
function hooksResult(results: readonly InstallResult[]): InstallResult {
  const found = results.find((result) => result.file.endsWith(adapter.configFile));
  if (!found) throw new Error(`nothing about ${adapter.configFile}`);
  return found;
}
const read = () => readFileSync(file, 'utf8');
const put = (content: string | Uint8Array) => {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
};

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'host-adapters-'));
  file = join(home, '.claude', 'settings.json');
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const foreignGroup = { matcher: 'Bash', hooks: [{ type: 'command', command: 'echo hi', timeout: 5 }] };
const rich = {
  $schema: 'https://json.schemastore.org/claude-code-settings.json',
  permissions: { allow: ['Bash(ls:*)'], deny: [] },
  hooks: { PostToolUse: [foreignGroup], Stop: [], Notification: [foreignGroup] },
  '10': 'numbers keep their place',
  env: { A: 'ключ' },
};

const befores: Record<string, string> = {
  'an empty object': '{}',
  'an empty object with a line end': '{}\n',
  'an empty object with space': '{ }',
  'an empty object over two lines': '{\n}\n',
  'an empty object with an empty line': '{\n\n  }',
  'an empty file': '',
  'a file of white space': ' \n\n',
  'only a byte-order mark': '\ufeff',
  'two spaces': JSON.stringify(rich, null, 2) + '\n',
  'four spaces, no final line end': JSON.stringify(rich, null, 4),
  tabs: JSON.stringify(rich, null, '\t') + '\n\n',
  'CRLF and a mark': '\ufeff' + (JSON.stringify(rich, null, 2) + '\n').replaceAll('\n', '\r\n'),
  minified: JSON.stringify(rich),
  'minified with a line end': JSON.stringify(rich) + '\n',
  'minified without hooks': '{"model":"opus"}',
  'minified with empty hooks': '{"hooks":{}}',
  'minified with an empty event': '{"hooks":{"Stop":[]},"model":"opus"}',
  'empty hooks': '{\n  "hooks": {}\n}\n',
  'empty hooks over lines': '{\n  "hooks": {\n  },\n  "model": "opus"\n}\n',
  'an empty event': '{\n  "hooks": {\n    "Stop": [\n\n    ]\n  }\n}\n',
  'hooks first': '{\n  "hooks": {\n    "Stop": []\n  },\n  "model": "opus"\n}\n',
  'odd spacing': '{ "model" :"opus" ,\n\t"hooks":{"Stop" : [ ] }\n , "x":[1 ,2]}',
  'one member on the brace line': '{"model": "opus",\n "a": 1}',
  'a key twice': '{"hooks": {"Stop": []}, "hooks": {\n "Stop": [ {"hooks": []} ] }}',
  'numbers beyond range': '{"big": 1e400, "id": 12345678901234567890}',
  escapes: '{\n  "h\\u006foks": {\n    "St\\u006fp": []\n  },\n  "p": "C:\\\\x\\/y"\n}',
};

describe('Claude Code hooks in settings.json', () => {
  it.each(Object.entries(befores))(
    'B034: are removed by uninstall without changing any other byte of the file: %s',
    async (_, before) => {
      put(before);
      expect((await install()).change).toBe('installed');
      const once = read();
      const settings = JSON.parse(once.replace(/^\ufeff/, '')) as { hooks: Record<string, unknown[]> };
      expect(settings.hooks['SessionStart']).toHaveLength(1);

      expect((await install()).change).toBe('unchanged');
      expect(read()).toBe(once);

      expect((await install({ hookScript: '/new place/hook.sh' })).change).toBe('updated');
      expect(read()).toBe(once.replaceAll('/opt/claude mem/', '/new place/'));

      expect((await uninstall()).change).toBe('removed');
      expect(read()).toBe(before);
      expect((await uninstall()).change).toBe('absent');
      expect(read()).toBe(before);
    },
  );

  it('B034: are written to a new file, which uninstall deletes', async () => {
    await install();
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(read().endsWith('}\n')).toBe(true);
    await uninstall();
    expect(existsSync(file)).toBe(false);
    expect(readdirSync(home)).toEqual([]);
  });

  it('B034: leave the entries of others unchanged, also after the host rewrites the file', async () => {
    put(JSON.stringify(rich, null, 2));
    await install();
    const settings = JSON.parse(read()) as { hooks: Record<string, (typeof foreignGroup)[]> };
    settings.hooks['PostToolUse']?.push({ ...foreignGroup, matcher: 'Write' });
    settings.hooks['Stop']
      ?.at(-1)
      ?.hooks.push({ type: 'command', command: 'sh hook.sh claude-code Stop', timeout: 1 });
    put(JSON.stringify(settings));
    await uninstall();
    expect(JSON.parse(read())).toEqual({
      ...rich,
      hooks: {
        ...rich.hooks,
        PostToolUse: [foreignGroup, { ...foreignGroup, matcher: 'Write' }],
        Stop: [{ hooks: [{ type: 'command', command: 'sh hook.sh claude-code Stop', timeout: 1 }] }],
      },
    });
  });

  it('B034: are removed completely when the host has rewritten the file', async () => {
    for (const indent of [0, 2, '\t']) {
      put('{"model":"opus"}');
      await install();
      put(JSON.stringify(JSON.parse(read()), null, indent));
      await uninstall();
      expect(JSON.parse(read())).toEqual({ model: 'opus' });
    }
  });

  it('B110, B166: consist of a matcher and a list of hooks, with a timeout of 1 to 120 seconds', async () => {
    const { events } = await install();
    const { hooks } = JSON.parse(read()) as {
      hooks: Record<
        string,
        { matcher?: string; hooks: { type: string; command: string; timeout: number }[] }[]
      >;
    };
    expect(Object.keys(hooks)).toEqual(events);
    expect(events).toEqual([
      'SessionStart',
      'UserPromptSubmit',
      'PostToolUse',
      'PostToolUseFailure',
      'Stop',
      'SubagentStop',
      'PreCompact',
      'SessionEnd',
    ]);
    for (const [event, groups] of Object.entries(hooks)) {
      expect(groups).toHaveLength(event === 'PostToolUse' ? 2 : 1);
      for (const { hooks: list, ...group } of groups) {
        expect(Object.keys(group).every((name) => name === 'matcher')).toBe(true);
        expect(list).toHaveLength(1);
        for (const hook of list) {
          expect(Object.keys(hook).sort()).toEqual(['command', 'timeout', 'type']);
          expect(hook.type).toBe('command');
          expect(hook.timeout).toBeGreaterThanOrEqual(1);
          expect(hook.timeout).toBeLessThanOrEqual(120);
        }
      }
    }
    expect(hooks['SessionStart']?.[0]?.matcher).toBe('startup|resume|clear|compact|fork');
    expect(hooks['PostToolUse']?.map(({ matcher }) => matcher)).toEqual(['Read', '^(?!Read$)']);
  });

  it.each([
    ['1.0.128 (Claude Code)', false],
    ['2.0.9', false],
    ['2.0.55', false],
    ['2.0.56', true],
    ['2.0.77', true],
    ['2.1.112', true],
    ['10.0.0', true],
    ['unknown', true],
    [undefined, true],
  ])('B110: include only the events that Claude Code %s supports', async (hostVersion, isThere) => {
    const { events } = await install({ hostVersion });
    expect(events.includes('PostToolUseFailure')).toBe(isThere);
    expect(events).toHaveLength(isThere ? 8 : 7);
  });

  it.each([
    'plain',
    'First Last',
    `it's "quoted"`,
    '$HOME `id` $(id)',
    'a&b (c) ;d|e<f>g',
    'проект アプリ 🦊',
    'back\\slash*?[x]{y}~!#',
  ])('B035: run their command line from a folder named %s', async (name) => {
    const folder = join(home, name);
    const dataDir = join(home, `${name} data`);
    mkdirSync(folder, { recursive: true });
    const script = join(folder, 'hook.sh');
    writeFileSync(script, 'printf "%s|" "$#" "$1" "$2" "$CLAUDE_MEM_DATA_DIR"; cat\n');
    await install({ hookScript: script, dataDir });
    const { hooks } = JSON.parse(read()) as {
      hooks: Record<string, { matcher?: string; hooks: { command: string }[] }[]>;
    };
    for (const [event, groups] of Object.entries(hooks))
      for (const group of groups) {
        const output = execFileSync('/bin/sh', ['-c', group.hooks[0]?.command ?? ''], {
          input: '{}',
          cwd: home,
        });
        const argument = group.matcher === 'Read' ? 'FileRead' : event;
        expect(output.toString()).toBe(`2|claude-code|${argument}|${dataDir}|{}`);
      }
    await uninstall();
    expect(existsSync(file)).toBe(false);
  });

  it('B018: exit with 0 and print nothing when the hook script is missing', async () => {
    await install({ hookScript: join(home, 'gone', 'hook.sh') });
    const { hooks } = JSON.parse(read()) as { hooks: Record<string, { hooks: { command: string }[] }[]> };
    const commands = Object.values(hooks).flatMap((groups) =>
      groups.flatMap((group) => group.hooks[0]?.command ?? []),
    );
    expect(commands).toHaveLength(9);
    for (const command of commands) {
      const { status, stdout, stderr } = spawnSync('/bin/sh', ['-c', command], { input: '{}' });
      expect({ status, output: `${stdout}${stderr}` }).toEqual({ status: 0, output: '' });
    }
  });

  it.each([
    ['broken JSON', '{"hooks": {'],
    ['a list', '[]'],
    ['hooks that are a list', '{"hooks": []}'],
    ['an event that is an object', '{"hooks": {"Stop": {}}}'],
  ])('are not written to a file with %s', async (_, before) => {
    put(before);
    await expect(install()).rejects.toMatchObject({ code: 'host-adapters/broken-config' });
    expect(read()).toBe(before);
    expect(readdirSync(dirname(file))).toEqual(['settings.json']);
  });

  it('are not written to a file that is not UTF-8', async () => {
    const bytes = Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]);
    put(bytes);
    await expect(install()).rejects.toBeInstanceOf(HostAdaptersError);
    expect(await uninstall()).toMatchObject({
      change: 'refused',
      problem: { code: 'host-adapters/broken-config' },
    });
    expect(readFileSync(file)).toEqual(bytes);
  });

  it('keep the mode of the file and follow a symlink', async () => {
    const real = join(home, 'dotfiles.json');
    writeFileSync(real, '{}');
    chmodSync(real, 0o640);
    mkdirSync(dirname(file));
    symlinkSync(real, file);
    await install();
    expect(lstatSync(file).isSymbolicLink()).toBe(true);
    expect(statSync(real).mode & 0o777).toBe(0o640);
    await uninstall();
    expect(readFileSync(real, 'utf8')).toBe('{}');
  });

  it('are written to the given configuration folder or to the project file', async () => {
    const configDir = join(home, 'config dir');
    const projectDir = join(home, 'project');
    expect((await install({ configDir })).file).toBe(join(configDir, 'settings.json'));
    expect((await install({ projectDir, configDir })).file).toBe(
      join(projectDir, '.claude', 'settings.json'),
    );
    expect(existsSync(file)).toBe(false);
    expect((await uninstall({ configDir })).change).toBe('removed');
    expect((await uninstall({ projectDir })).change).toBe('removed');
  });

  it('require an absolute path of the hook script on one line', async () => {
    await expect(install({ hookScript: 'hook.sh' })).rejects.toMatchObject({
      code: 'host-adapters/invalid-option',
    });
    await expect(install({ hookScript: '/a\n/hook.sh' })).rejects.toMatchObject({
      code: 'host-adapters/invalid-option',
    });
  });
});
