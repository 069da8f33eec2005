import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bundleProgram } from '@claude-mem/core/testing';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  changeSettings,
  checkChanges,
  findSetting,
  isMasked,
  loadSettings,
  maskSettings,
  SETTINGS,
  settingsByKey,
} from './index.js';

let programs: string;
beforeAll(() => {
  programs = mkdtempSync(join(tmpdir(), 'settings-programs-'));
});
afterAll(() => rmSync(programs, { recursive: true, force: true }));

/** Bundles a program that can call `changeSettings`. */
function programWith(statements: string): string {
  const outfile = join(programs, `${readdirSync(programs).length}.mjs`);
  const contents = `import { changeSettings } from './change-settings.js';${statements}`;
  bundleProgram({ contents, folder: import.meta.dirname }, outfile);
  return outfile;
}

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'settings-'));
  file = join(folder, 'settings.json');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));
const read = () => readFileSync(file, 'utf8');

describe('changeSettings', () => {
  it('B109: keeps other keys, their order, the nested env and the layout', async () => {
    const before = [
      '{',
      '    "zebra": 1, "10": {"b": [1,  2]},',
      '    "CLAUDE_MEM_MODEL": "old",',
      '    "env": {"CLAUDE_MEM_MODEL": "nested", "OTHER": "x"},',
      '    "big": 12345678901234567890',
      '}',
      '',
    ].join('\r\n');
    writeFileSync(file, '\ufeff' + before);
    await changeSettings(file, { CLAUDE_MEM_MODEL: 'new', CLAUDE_MEM_BACKUP_KEEP: 0 });
    expect(read()).toBe(
      '\ufeff' +
        before
          .replace('"old"', '"new"')
          .replace('67890\r\n', '67890,\r\n    "CLAUDE_MEM_BACKUP_KEEP": 0\r\n'),
    );
  });

  it('writes only the changed keys, no defaults, to a file that only the owner can read', async () => {
    await changeSettings(file, { CLAUDE_MEM_LANGUAGE: '' });
    expect(read()).toBe('{\n  "CLAUDE_MEM_LANGUAGE": ""\n}\n');
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it('S10: makes an existing file private when a key is set', async () => {
    writeFileSync(file, '{}');
    chmodSync(file, 0o666);
    await changeSettings(file, { CLAUDE_MEM_LANGUAGE: 'de' });
    expect(statSync(file).mode & 0o777).toBe(0o666);
    await changeSettings(file, { CLAUDE_MEM_GEMINI_API_KEY: 'AIza-0123456789' });
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it('B107: keeps zero, false and empty values', async () => {
    await changeSettings(file, {
      CLAUDE_MEM_BACKUP_KEEP: '0',
      CLAUDE_MEM_ENABLED: 'false',
      CLAUDE_MEM_CHROMA_URL: '',
    });
    const { settings } = loadSettings({ env: { CLAUDE_MEM_DATA_DIR: folder }, home: folder });
    expect(settings).toMatchObject({ backupKeep: 0, enabled: false, chromaUrl: '' });
  });

  it('removes a key when its value is null, so that the default applies', async () => {
    writeFileSync(file, '{\n  "a": 1,\n  "CLAUDE_MEM_MODEL": "x"\n}');
    await changeSettings(file, { CLAUDE_MEM_MODEL: null, CLAUDE_MEM_MODE: undefined });
    expect(read()).toBe('{\n  "a": 1\n}');
  });

  it('does not touch the file when nothing changes', async () => {
    await changeSettings(file, {});
    expect(existsSync(file)).toBe(false);
    writeFileSync(file, '{"CLAUDE_MEM_MODEL": "x"}');
    const { ino } = statSync(file);
    await changeSettings(file, { CLAUDE_MEM_MODEL: 'x' });
    expect(statSync(file).ino).toBe(ino);
  });

  it('refuses an invalid file and does not change it', async () => {
    for (const content of ['{"a":', '[]', '{} x']) {
      writeFileSync(file, content);
      await expect(changeSettings(file, { CLAUDE_MEM_MODEL: 'x' })).rejects.toMatchObject({
        code: 'settings/broken-file',
      });
      expect(read()).toBe(content);
    }
    expect(readdirSync(folder)).toEqual(['settings.json']);
  });

  it('refuses a value of the wrong type before anything is written', async () => {
    await expect(
      changeSettings(file, { CLAUDE_MEM_MODEL: 'x', CLAUDE_MEM_WORKER_PORT: 'http' }),
    ).rejects.toMatchObject({ code: 'settings/invalid-value', data: { key: 'CLAUDE_MEM_WORKER_PORT' } });
    expect(existsSync(file)).toBe(false);
  });

  it('B059: never writes prototype keys', async () => {
    const asked = JSON.parse('{"__proto__":{"isAdmin":true},"constructor":{"prototype":{"x":1}},"keep":1}');
    await changeSettings(file, asked);
    expect(JSON.parse(read())).toEqual({ keep: 1 });
    expect(({} as Record<string, unknown>)['isAdmin']).toBeUndefined();
  });

  it('follows a symlink', async () => {
    symlinkSync('real.json', file);
    await changeSettings(file, { CLAUDE_MEM_MODEL: 'x' });
    expect(lstatSync(file).isSymbolicLink()).toBe(true);
    expect(readFileSync(join(folder, 'real.json'), 'utf8')).toContain('"x"');
  });

  it('keeps all changes when one process makes many at the same time', async () => {
    const keys = Array.from({ length: 20 }, (_, index) => `k${index}`);
    await Promise.all(keys.map((key) => changeSettings(file, { [key]: key })));
    expect(Object.keys(JSON.parse(read()) as object)).toEqual(keys);
  });

  it('keeps all changes when several processes write at the same time', async () => {
    const keys = SETTINGS.filter(({ type }) => type === 'text').map(({ key }) => key);
    const program = programWith(`
      const [file, from] = process.argv.slice(2);
      const keys = ${JSON.stringify(keys)}.filter((_, place) => place % 3 === Number(from));
      for (let round = 0; round < 10; round += 1)
        await Promise.all(keys.map((key) => changeSettings(file, { [key]: 'v' + round })));`);
    const run = (from: number) =>
      once(
        spawn(process.execPath, [program, file, `${from}`], { stdio: ['ignore', 'inherit', 'inherit'] }),
        'close',
      );
    expect(await Promise.all([run(0), run(1), run(2)])).toEqual(Array(3).fill([0, null]));
    expect(JSON.parse(read())).toEqual(Object.fromEntries(keys.map((key) => [key, 'v9'])));
    expect(readdirSync(folder)).toEqual(['settings.json']);
  }, 60_000);

  it('removes the lock when its process was killed or the lock is old', async () => {
    writeFileSync(`${file}.lock`, '999999999');
    await changeSettings(file, { CLAUDE_MEM_MODEL: 'one' });
    writeFileSync(`${file}.lock`, String(process.ppid));
    utimesSync(`${file}.lock`, new Date(0), new Date(0));
    await changeSettings(file, { CLAUDE_MEM_MODEL: 'two' });
    expect(JSON.parse(read())).toEqual({ CLAUDE_MEM_MODEL: 'two' });
    expect(readdirSync(folder)).toEqual(['settings.json']);
  });

  it('B051: keeps the old or the new value when a process is killed while it saves', async () => {
    const program = programWith(`
      for (let n = 1; n <= 200; n += 1) {
        await changeSettings(process.argv[2], { CLAUDE_MEM_MODEL: 'm'.repeat(20_000) + n });
        process.stdout.write(n + '\\n');
      }`);
    for (const stopAfter of [1, 40, 80, 120]) {
      const child = spawn(process.execPath, [program, file], { stdio: ['ignore', 'pipe', 'inherit'] });
      let saved = 0;
      const closed = once(child, 'close');
      child.stdout.setEncoding('utf8').on('data', (text: string) => {
        saved = Number(text.trim().split('\n').at(-1));
      });
      while (saved < stopAfter && child.exitCode === null) {
        if (existsSync(file)) JSON.parse(read());
        await new Promise((resolve) => setTimeout(resolve, 1));
      }
      child.kill('SIGKILL');
      const [code, signal] = (await closed) as [number | null, string | null];
      expect([code, signal]).toEqual([null, 'SIGKILL']);
      const { CLAUDE_MEM_MODEL: value } = JSON.parse(read()) as { CLAUDE_MEM_MODEL: string };
      const found = Number(value.replace(/^m{20000}/, ''));
      expect([saved, saved + 1]).toContain(found);
    }
  }, 60_000);
});

describe('checkChanges', () => {
  it('B056: refuses programs, folders and addresses only when the change comes over HTTP', () => {
    const asked = {
      CLAUDE_CODE_PATH: '/tmp/evil',
      CLAUDE_MEM_DATA_DIR: '/tmp/x',
      CLAUDE_MEM_OPENAI_BASE_URL: 'http://evil.example',
      CLAUDE_MEM_CHROMA_URL: 'http://evil.example',
      CLAUDE_MEM_WORKER_HOST: '0.0.0.0',
      CLAUDE_MEM_MODEL: 'x',
    };
    const overHttp = checkChanges(asked, { overHttp: true });
    expect(overHttp.changes).toEqual({ CLAUDE_MEM_MODEL: 'x' });
    expect(overHttp.refused.map(({ key }) => key)).toEqual(Object.keys(asked).slice(0, 5));
    const { CLAUDE_MEM_DATA_DIR: _, CLAUDE_MEM_CHROMA_URL: __, ...settable } = asked;
    expect(checkChanges(settable, { overHttp: false })).toEqual({ changes: settable, refused: [] });
    for (const { key, overHttp: allowed } of SETTINGS) {
      if (/PATH|DIR$|URL|HOST/.test(key)) expect(allowed, key).toBe(false);
    }
  });

  it('refuses settings without effect with a reason, and allows removing them', () => {
    const unused = SETTINGS.filter((setting) => 'notYet' in setting).map(({ key }) => key);
    expect(unused).toContain('CLAUDE_MEM_RETENTION_DAYS');
    const keys = [...unused, 'CLAUDE_MEM_DATA_DIR'];
    const asked = Object.fromEntries(keys.map((key) => [key, findSetting(key)?.default]));
    const { changes, refused } = checkChanges(asked, { overHttp: false });
    expect(changes).toEqual({});
    expect(refused.map(({ key, kind }) => `${key} ${kind}`)).toEqual(keys.map((key) => `${key} no-effect`));
    const taken = Object.fromEntries(keys.map((key) => [key, null]));
    expect(checkChanges(taken, { overHttp: false })).toEqual({ changes: taken, refused: [] });
  });

  it('B059: refuses unknown keys, prototype keys and invalid values', () => {
    const asked = JSON.parse(
      '{"__proto__":{"isAdmin":true},"constructor":{},"CLAUDE_MEM_ENABLED":"perhaps"}',
    );
    const { changes, refused } = checkChanges(asked, { overHttp: true });
    expect(changes).toEqual({});
    expect(refused.map(({ key }) => key)).toEqual(['__proto__', 'constructor', 'CLAUDE_MEM_ENABLED']);
  });

  it.each(['http//x', 'file:///etc/passwd', '😀', 'http://127.0.0.1:99999', 'http://me:secret@127.0.0.1'])(
    'refuses an invalid address: %s',
    (address) => {
      const { changes, refused } = checkChanges({ CLAUDE_MEM_OPENAI_BASE_URL: address }, { overHttp: false });
      expect(changes).toEqual({});
      expect(refused).toMatchObject([{ kind: 'wrong-value' }]);
      expect(refused[0]?.reason).not.toContain(address);
    },
  );

  it.each([
    ['CLAUDE_MEM_GEMINI_API_KEY', 'two words'],
    ['CLAUDE_MEM_GEMINI_API_KEY', 'ключ'],
    ['CLAUDE_MEM_EMBEDDER_API_KEY', 'key\nwith a line'],
    ['CLAUDE_MEM_CHROMA_TOKEN', 'token\u0000'],
  ])('refuses a key that no HTTP header can contain: %s %j', (key, value) => {
    const { changes, refused } = checkChanges({ [key]: value }, { overHttp: false });
    expect(changes).toEqual({});
    expect(refused).toEqual([
      { key, kind: 'wrong-value', reason: 'must be one word of ASCII characters without spaces' },
    ]);
  });

  it('refuses an address of Chroma with a path', () => {
    const check = (value: string) => checkChanges({ CLAUDE_MEM_CHROMA_URL: value }, { overHttp: false });
    expect(check('http://127.0.0.1:8000/api').refused).toMatchObject([
      { reason: expect.stringContaining('without a path') },
    ]);
    for (const value of ['managed', '', 'http://127.0.0.1:8000', 'https://chroma.example/'])
      expect(check(value).refused).toEqual([]);
  });

  it('allows a valid and an empty address', () => {
    for (const address of ['http://127.0.0.1:11434/v1', ''])
      expect(checkChanges({ CLAUDE_MEM_OPENAI_BASE_URL: address }, { overHttp: false }).changes).toEqual({
        CLAUDE_MEM_OPENAI_BASE_URL: address,
      });
  });

  it('allows the word "managed" only for the Chroma address', () => {
    const take = (key: string) => checkChanges({ [key]: 'managed' }, { overHttp: false }).changes;
    expect(take('CLAUDE_MEM_CHROMA_URL')).toEqual({ CLAUDE_MEM_CHROMA_URL: 'managed' });
    expect(take('CLAUDE_MEM_EMBEDDER_BASE_URL')).toEqual({});
  });
});

describe('maskSettings', () => {
  it('B052: masks secrets, and keeps them when a masked value is saved', async () => {
    const key = 'abcdefghijklmnopqrstuvwxyz0123456789';
    await changeSettings(file, { CLAUDE_MEM_GEMINI_API_KEY: key, CLAUDE_MEM_CHROMA_TOKEN: 'short' });
    const { settings } = loadSettings({ env: { CLAUDE_MEM_DATA_DIR: folder }, home: folder });
    const masked = maskSettings(settingsByKey(settings));
    expect(JSON.stringify(masked)).not.toContain(key.slice(0, 8));
    expect(masked).toMatchObject({
      CLAUDE_MEM_GEMINI_API_KEY: '****6789',
      CLAUDE_MEM_CHROMA_TOKEN: '****',
      CLAUDE_MEM_OPENAI_API_KEY: '',
      CLAUDE_MEM_WORKER_PORT: 37777,
    });

    const { changes, refused } = checkChanges(masked, { overHttp: false });
    expect(refused.filter(({ kind }) => kind !== 'no-effect')).toEqual([]);
    await changeSettings(file, { ...changes, CLAUDE_MEM_GEMINI_API_KEY: '****6789', CLAUDE_MEM_MODEL: 'x' });
    expect(JSON.parse(read())).toMatchObject({
      CLAUDE_MEM_GEMINI_API_KEY: key,
      CLAUDE_MEM_CHROMA_TOKEN: 'short',
      CLAUDE_MEM_MODEL: 'x',
    });
  });

  it('masks a password in an address', () => {
    expect(
      maskSettings({
        CLAUDE_MEM_OPENAI_BASE_URL: 'https://me:pass@host/v1',
        CLAUDE_MEM_GEMINI_BASE_URL: 'http://127.0.0.1:1/@x',
      }),
    ).toEqual({
      CLAUDE_MEM_OPENAI_BASE_URL: 'https://****@host/v1',
      CLAUDE_MEM_GEMINI_BASE_URL: 'http://127.0.0.1:1/@x',
    });
  });

  it('masks unknown keys that are named like secrets', () => {
    expect(maskSettings({ MY_API_KEY: 'x', note: 'y' })).toEqual({ MY_API_KEY: '****', note: 'y' });
    expect([isMasked('****'), isMasked('****abcd'), isMasked('*'), isMasked('')]).toEqual([
      true,
      true,
      false,
      false,
    ]);
  });
});
