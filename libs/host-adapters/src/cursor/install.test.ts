import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { adapterFor } from '../adapter-for.js';
import type { HostAdapter, InstallResult } from '../host-adapter.js';

let home: string;
let file: string;
const adapter = adapterFor('cursor') as HostAdapter;
const hookScript = '/opt/claude mem/hook.sh';
const install = async (extra = {}) => hooksResult(await adapter.install({ home, hookScript, ...extra }));
const uninstall = async (extra = {}) => hooksResult(await adapter.uninstall({ home, ...extra }));
function hooksResult(results: readonly InstallResult[]): InstallResult {
  const found = results.find((result) => result.file.endsWith(adapter.configFile));
  if (!found) throw new Error(`nothing about ${adapter.configFile}`);
  return found;
}
const read = () => readFileSync(file, 'utf8');
const put = (content: string) => {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
};
interface HooksFile {
  version: number;
  hooks: Record<string, { command: string; timeout?: number }[]>;
}
const parse = () => JSON.parse(read().replace(/^\ufeff/, '')) as HooksFile;

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'host-adapters-'));
  file = join(home, '.cursor', 'hooks.json');
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const foreign = { command: './format.sh', matcher: 'Write' };
const rich = { version: 1, hooks: { afterFileEdit: [foreign], stop: [], postToolUse: [foreign] }, x: [1] };

const befores: Record<string, string> = {
  'an empty object': '{}',
  'an empty object over lines': '{\n}\n',
  'an empty file': '',
  'only a byte-order mark': '\ufeff',
  'two spaces': JSON.stringify(rich, null, 2) + '\n',
  tabs: JSON.stringify(rich, null, '\t'),
  'CRLF and a mark': '\ufeff' + (JSON.stringify(rich, null, 2) + '\n').replaceAll('\n', '\r\n'),
  minified: JSON.stringify(rich),
  'only a version': '{\n  "version": 1\n}\n',
  'a minified version': '{"version":1}',
  'empty hooks': '{\n  "version": 1,\n  "hooks": {}\n}\n',
  'an empty event': '{"version":1,"hooks":{"stop":[]}}',
  'hooks before the version': '{\n  "hooks": {\n    "stop": []\n  },\n  "version": 1\n}\n',
  'minified hooks before the version': '{"hooks":{"stop":[]},"version":1}',
  'hooks without a version': '{\n  "hooks": {\n    "stop": [{ "command": "a" }]\n  }\n}\n',
  'minified hooks without a version': '{"hooks":{"stop":[{"command":"a"}]}}',
  'empty hooks without a version': '{ "hooks": {} }',
  'other fields without a version': '{"x":1}',
};

describe('Cursor hooks in hooks.json', () => {
  it.each(Object.entries(befores))(
    'B034: are removed by uninstall without changing any other byte of the file: %s',
    async (_, before) => {
      put(before);
      expect((await install()).change).toBe('installed');
      const once = read();
      expect(parse().version).toBe(1);
      expect(parse().hooks['sessionStart']).toHaveLength(1);
      expect((await install()).change).toBe('unchanged');
      expect((await install({ hookScript: '/new place/hook.sh' })).change).toBe('updated');
      expect(read()).toBe(once.replaceAll('/opt/claude mem/', '/new place/'));
      expect((await uninstall()).change).toBe('removed');
      expect(read()).toBe(before);
      expect((await uninstall()).change).toBe('absent');
    },
  );

  it('B034: are written to a new file, which uninstall deletes', async () => {
    const { events } = await install();
    expect(parse()).toEqual({
      version: 1,
      hooks: Object.fromEntries(
        events.map((event) => [
          event,
          [
            {
              command: `sh '/opt/claude mem/hook.sh' cursor ${event} 2>/dev/null || true # claude-mem hook`,
              timeout: expect.any(Number),
            },
          ],
        ]),
      ),
    });
    expect(events).toEqual([
      'sessionStart',
      'beforeSubmitPrompt',
      'postToolUse',
      'postToolUseFailure',
      'afterAgentResponse',
      'stop',
      'sessionEnd',
    ]);
    await uninstall();
    expect(readdirSync(home)).toEqual([]);
  });

  it('B034: leave the entries of others unchanged, also after the host rewrites the file', async () => {
    put(JSON.stringify(rich, null, 2));
    await install();
    const after = parse();
    after.hooks['stop']?.push({ command: `sh 'x' claude-code stop # claude-mem hook` });
    put(JSON.stringify(after));
    await uninstall();
    expect(parse()).toEqual({
      ...rich,
      hooks: { ...rich.hooks, stop: [{ command: `sh 'x' claude-code stop # claude-mem hook` }] },
    });
  });

  it.each([
    ['broken JSON', '{"version":1,"hooks": {'],
    ['a list', '[]'],
    ['hooks that are a list', '{"version":1,"hooks": []}'],
    ['an event that is an object', '{"version":1,"hooks": {"stop": {}}}'],
    ['another version', '{"version":2,"hooks": {}}'],
    ['a version that is no number', '{"version":"1"}'],
  ])('are not written to a file with %s', async (_, before) => {
    put(before);
    await expect(install()).rejects.toMatchObject({ code: 'host-adapters/broken-config' });
    expect(read()).toBe(before);
    expect(readdirSync(dirname(file))).toEqual(['hooks.json']);
  });

  it('are written to the given configuration folder or to the project file', async () => {
    const configDir = join(home, 'config dir');
    const projectDir = join(home, 'project');
    expect((await install({ configDir })).file).toBe(join(configDir, 'hooks.json'));
    expect((await install({ projectDir, configDir })).file).toBe(join(projectDir, '.cursor', 'hooks.json'));
    expect(existsSync(file)).toBe(false);
    expect((await uninstall({ configDir })).change).toBe('removed');
    expect((await uninstall({ projectDir })).change).toBe('removed');
  });

  it('B035: run their command line from any folder', async () => {
    const script = join(home, `it's "a" $HOME & (b)`, 'hook.sh');
    mkdirSync(dirname(script));
    writeFileSync(script, 'printf "%s|" "$#" "$1" "$2"; cat\n');
    await install({ hookScript: script });
    for (const [event, [hook]] of Object.entries(parse().hooks)) {
      const output = execFileSync('/bin/sh', ['-c', hook?.command ?? ''], { input: '{}', cwd: home });
      expect(output.toString()).toBe(`2|cursor|${event}|{}`);
    }
  });
});
