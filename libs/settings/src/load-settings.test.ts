import { execFileSync, spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bundleProgram } from '@claude-mem/core/testing';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { changeSettings, dataPaths, loadSettings, SETTINGS, type SettingDefinition } from './index.js';

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'settings-'));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const put = (content: string | Uint8Array) => {
  mkdirSync(join(home, '.claude-mem'), { recursive: true });
  writeFileSync(join(home, '.claude-mem', 'settings.json'), content);
};
const load = (env: Record<string, string | undefined> = {}) => loadSettings({ env, home });

describe('sources of settings', () => {
  it('returns the defaults and writes no file when there is no file', () => {
    const { settings, sources, problems, paths } = load();
    expect(problems).toEqual([]);
    expect(new Set(Object.values(sources))).toEqual(new Set(['default']));
    expect(settings).toMatchObject({
      workerHost: '127.0.0.1',
      workerPort: 37777,
      provider: 'auto',
      providerFallback: [],
      batchingEnabled: true,
      batchMaxSize: 20,
      budgetDayTokens: 2_000_000,
      contextTokens: 1200,
      cursorRules: 'auto',
      enabled: true,
      logLevel: 'info',
      backupKeep: 7,
      retentionDays: 0,
    });
    expect(paths).toEqual(dataPaths(join(home, '.claude-mem')));
    expect(readdirSync(home)).toEqual([]);
  });

  it('prefers the environment to the file, and the file to the default', () => {
    put(JSON.stringify({ CLAUDE_MEM_WORKER_PORT: 1111, CLAUDE_MEM_LOG_LEVEL: 'debug' }));
    const { settings, sources } = load({ CLAUDE_MEM_WORKER_PORT: '2222' });
    expect([settings.workerPort, settings.logLevel, settings.verbosity]).toEqual([2222, 'debug', 'normal']);
    expect(sources).toMatchObject({
      CLAUDE_MEM_WORKER_PORT: 'env',
      CLAUDE_MEM_LOG_LEVEL: 'file',
      CLAUDE_MEM_VERBOSITY: 'default',
    });
  });

  it('R07: reads the common network variables only when neither the key nor the file sets the value', () => {
    const env = {
      NODE_EXTRA_CA_CERTS: '/env.pem',
      https_proxy: 'http://env:1',
      NO_PROXY: 'a.example,b.example',
    };
    expect(load(env).settings).toMatchObject({
      caFile: '/env.pem',
      proxy: 'http://env:1',
      noProxy: ['a.example', 'b.example'],
    });
    put(JSON.stringify({ CLAUDE_MEM_CA_FILE: '/file.pem', CLAUDE_MEM_PROXY: 'http://file:1' }));
    const { settings, sources } = load({ ...env, CLAUDE_MEM_PROXY: 'http://key:1' });
    expect(settings).toMatchObject({ caFile: '/file.pem', proxy: 'http://key:1' });
    expect(sources.CLAUDE_MEM_CA_FILE).toBe('file');
  });

  it('S03: reads programs, addresses, keys and the network only from the file when the environment is not trusted', () => {
    put(
      JSON.stringify({ CLAUDE_MEM_EMBEDDER_API_KEY: 'own', CLAUDE_MEM_EMBEDDER_BASE_URL: 'http://own/v1' }),
    );
    const env = {
      ...Object.fromEntries(SETTINGS.map(({ key }) => [key, 'http://hostile.example'])),
      CLAUDE_MEM_DATA_DIR: undefined,
      CLAUDE_MEM_EMBEDDER: 'none',
      HTTPS_PROXY: 'http://hostile.example',
      node_extra_ca_certs: '/hostile.pem',
    };
    const { settings, sources } = loadSettings({ env, home, isEnvironmentTrusted: false });
    expect(settings).toMatchObject({
      embedder: 'none',
      embedderApiKey: 'own',
      embedderBaseUrl: 'http://own/v1',
      proxy: '',
      caFile: '',
      claudeCodePath: '',
    });
    const fromEnv = SETTINGS.filter(({ key }) => sources[key] === 'env');
    expect(fromEnv.filter(({ overHttp, isSecret }) => !overHttp || isSecret)).toEqual([]);
    expect(fromEnv.filter(({ type }) => type === 'address' || type === 'path')).toEqual([]);
  });

  it('reads a nested env object with lower priority than the top level', () => {
    put(JSON.stringify({ env: { CLAUDE_MEM_MODEL: 'a', CLAUDE_MEM_LANGUAGE: 'de' }, CLAUDE_MEM_MODEL: 'b' }));
    expect(load().settings).toMatchObject({ model: 'b', language: 'de' });
  });

  it('has one definition per key and property, with a valid default', () => {
    const definitions: readonly SettingDefinition[] = SETTINGS;
    expect(new Set(definitions.map(({ key }) => key)).size).toBe(definitions.length);
    expect(new Set(definitions.map(({ property }) => property)).size).toBe(definitions.length);
    for (const { key, default: value, choices, isSecret, description } of definitions) {
      expect(key).toMatch(/^CLAUDE_(MEM|CODE)_[A-Z_]+$/);
      if (choices && !Array.isArray(value)) expect(choices).toContain(value);
      if (isSecret) expect(value).toBe('');
      expect(description).toMatch(/\.$/);
    }
  });
});

describe('the settings file of the other claude-mem', () => {
  // content that its first start writes; its PROVIDER "claude" means the subscription
  const content = {
    CLAUDE_MEM_MODEL: 'claude-sonnet-4-5',
    CLAUDE_MEM_CONTEXT_OBSERVATIONS: '50',
    CLAUDE_MEM_WORKER_PORT: '39101',
    CLAUDE_MEM_PROVIDER: 'claude',
    CLAUDE_MEM_FOLDER_CLAUDEMD_ENABLED: 'false',
  };

  it.each([
    ['flat', content],
    ['nested', { env: content }],
  ])('R10: is reported, not read and not changed when it is %s', async (_form, settings) => {
    put(JSON.stringify(settings));
    const loaded = load();
    expect(loaded.isFileUsable).toBe(false);
    expect(loaded.settings).toMatchObject({ provider: 'auto', workerPort: 37777 });
    expect(loaded.problems).toEqual([
      expect.stringMatching(/settings\.json belongs to another program that is also named claude-mem/),
    ]);
    await expect(changeSettings(loaded.paths.settingsFile, { CLAUDE_MEM_MODEL: 'x' })).rejects.toMatchObject({
      code: 'settings/foreign-file',
    });
    expect(readFileSync(loaded.paths.settingsFile, 'utf8')).toBe(JSON.stringify(settings));
  });
});

describe('a settings path that is not a file', () => {
  const source = `
    import { changeSettings, loadSettings } from './index.ts';
    const { paths, problems, isFileUsable } = loadSettings({ env: {}, home: process.argv[2] });
    const refusal = await changeSettings(paths.settingsFile, { CLAUDE_MEM_MODEL: 'x' }).catch(({ code }) => code);
    process.stdout.write(JSON.stringify({ problems, isFileUsable, refusal }));`;
  const folder = mkdtempSync(join(tmpdir(), 'claude-mem-program-'));
  const program = join(folder, 'load-settings.mjs');
  beforeAll(() => bundleProgram({ contents: source, folder: import.meta.dirname }, program));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const loadAside = () =>
    spawnSync(process.execPath, [program, home], { timeout: 10_000, encoding: 'utf8' }).stdout;

  it.each([['mkfifo'], ['mkdir'], ['ln', '-s', '/dev/zero']])(
    'is reported without reading or waiting: %s %s',
    (command, ...args) => {
      mkdirSync(join(home, '.claude-mem'));
      const file = join(home, '.claude-mem', 'settings.json');
      execFileSync(
        command,
        [...args, file].filter((arg) => arg !== undefined),
      );
      expect(JSON.parse(loadAside())).toEqual({
        problems: [
          expect.stringMatching(`^${file} is not a file. Move it .* worker keeps its last valid settings`),
        ],
        isFileUsable: false,
        refusal: 'settings/unreadable-file',
      });
    },
  );
});

describe('parsing of setting values', () => {
  it('B107: accepts zero, false and empty text as values', () => {
    put(
      JSON.stringify({
        CLAUDE_MEM_BACKUP_KEEP: '0',
        CLAUDE_MEM_BATCHING_ENABLED: 'false',
        CLAUDE_MEM_CHROMA_URL: '',
        CLAUDE_MEM_CONTEXT_ENABLED: false,
        CLAUDE_MEM_BUDGET_DAY_CALLS: '',
        CLAUDE_MEM_BUDGET_DAY_TOKENS: 0,
        CLAUDE_MEM_LANGUAGE: null,
      }),
    );
    const { settings, sources, problems } = load();
    expect(settings).toMatchObject({
      backupKeep: 0,
      batchingEnabled: false,
      chromaUrl: '',
      contextEnabled: false,
      budgetDayCalls: 0,
      budgetDayTokens: 0,
    });
    expect(sources.CLAUDE_MEM_CHROMA_URL).toBe('file');
    expect(sources.CLAUDE_MEM_LANGUAGE).toBe('default');
    expect(problems).toEqual([]);
    expect(load({ CLAUDE_MEM_BACKUP_KEEP: '0', CLAUDE_MEM_ENABLED: '0' }).settings).toMatchObject({
      backupKeep: 0,
      enabled: false,
    });
  });

  it.each([
    ['CLAUDE_MEM_WORKER_PORT', 'abc'],
    ['CLAUDE_MEM_WORKER_PORT', '70000'],
    ['CLAUDE_MEM_WORKER_PORT', '1.5'],
    ['CLAUDE_MEM_BATCH_MAX_SIZE', '0'],
    ['CLAUDE_MEM_BATCH_MAX_SIZE', '-3'],
    ['CLAUDE_MEM_ENABLED', 'maybe'],
    ['CLAUDE_MEM_PROVIDER', 'oracle'],
    ['CLAUDE_MEM_BUDGET_DAY_USD', 'Infinity'],
  ])('reports an invalid value and uses the next source: %s=%s', (key, value) => {
    const { sources, problems } = load({ [key]: value });
    expect(sources[key as keyof typeof sources]).toBe('default');
    expect(problems).toHaveLength(1);
    expect(problems[0]).toContain(key);
    // 0 is part of the allowed range
    if (value !== '0') expect(problems[0]).not.toContain(value);
  });

  it.each([5, { a: 1 }, [['/srv/secret']]])(
    'rejects a file when its list of excluded projects is invalid: %j',
    (excluded) => {
      put(JSON.stringify({ CLAUDE_MEM_EXCLUDED_PROJECTS: excluded, CLAUDE_MEM_WORKER_PORT: 38211 }));
      const { isFileUsable, problems } = load();
      expect(isFileUsable).toBe(false);
      expect(problems).toEqual([
        expect.stringMatching(/^CLAUDE_MEM_EXCLUDED_PROJECTS in .*settings\.json is not .*stores no events/),
      ]);
    },
  );

  it('accepts lists and text with commas, and keeps braces', () => {
    put(JSON.stringify({ CLAUDE_MEM_SKIP_TOOLS: ['Glob', ' Grep '] }));
    const { settings } = load({ CLAUDE_MEM_EXCLUDED_PROJECTS: '~/secret/**, /srv/{a,b}/*,,$HOME/x' });
    expect(settings.skipTools).toEqual(['Glob', 'Grep']);
    expect(settings.excludedProjects).toEqual([`${home}/secret/**`, '/srv/{a,b}/*', `${home}/x`]);
  });

  it('accepts flags, choices and numbers in common spellings', () => {
    const { settings } = load({
      CLAUDE_MEM_ENABLED: ' No ',
      CLAUDE_MEM_PROVIDER: 'Gemini',
      CLAUDE_MEM_BUDGET_DAY_TOKENS: '1,000,000',
      CLAUDE_MEM_CURSOR_RULES: 'TRUE',
    });
    expect(settings).toMatchObject({
      enabled: false,
      provider: 'gemini',
      budgetDayTokens: 1_000_000,
      cursorRules: 'true',
    });
  });

  it('B059: does not change prototypes', () => {
    put('{"__proto__":{"isAdmin":true,"CLAUDE_MEM_MODEL":"x"},"constructor":{"prototype":{"y":1}}}');
    const { settings, problems } = load();
    expect(settings.model).toBe('');
    expect(problems).toEqual([]);
    expect(({} as Record<string, unknown>)['isAdmin']).toBeUndefined();
    expect(({} as Record<string, unknown>)['y']).toBeUndefined();
  });

  it('reports values as invalid when they cannot be converted to text', () => {
    put('{"CLAUDE_MEM_ENABLED":{"toString":1},"CLAUDE_MEM_MODEL":"x"}');
    const { settings, problems } = load();
    expect(settings).toMatchObject({ enabled: true, model: 'x' });
    expect(problems).toHaveLength(1);
  });
});

describe('settings files of editors', () => {
  const text = '{"CLAUDE_MEM_MODEL":"größe"}';
  it.each([
    ['UTF-8 with a byte order mark', Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), Buffer.from(text)])],
    ['UTF-16 LE', Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text, 'utf16le')])],
    ['UTF-16 BE', Buffer.concat([Buffer.from([0xfe, 0xff]), Buffer.from(text, 'utf16le').swap16()])],
  ])('B108: are read when they are in %s', (_, bytes) => {
    put(bytes);
    expect(load()).toMatchObject({ settings: { model: 'größe' }, problems: [] });
  });

  it.each(['{"CLAUDE_MEM_MODEL":', '[]', '"x"', 'null', '{"CLAUDE_MEM_MODEL":"x"} // mine'])(
    'are reported as a problem when they contain %s',
    (content) => {
      put(content);
      const { settings, problems } = load({ CLAUDE_MEM_LOG_LEVEL: 'warn' });
      expect(settings).toMatchObject({ model: '', logLevel: 'warn' });
      expect(problems).toHaveLength(1);
    },
  );

  it('are ignored when empty, and reported when a folder has their name', () => {
    put(' \n');
    expect(load().problems).toEqual([]);
    rmSync(join(home, '.claude-mem', 'settings.json'));
    mkdirSync(join(home, '.claude-mem', 'settings.json'));
    expect(load().problems[0]).toContain('is not a file');
  });
});

describe('loading of folder paths', () => {
  it('B111: expands a tilde to the home folder, and creates no folder of that name', () => {
    expect(load({ CLAUDE_MEM_DATA_DIR: '~/mem' }).paths.dataDir).toBe(join(home, 'mem'));
    expect(load({ CLAUDE_MEM_DATA_DIR: '~' }).settings.dataDir).toBe(home);
    expect(load({ CLAUDE_CODE_PATH: '~/bin/claude' }).settings.claudeCodePath).toBe(join(home, 'bin/claude'));
    expect(existsSync('~')).toBe(false);
    expect(readdirSync(home)).toEqual([]);
  });

  it('B113: puts all paths below the data directory of the environment', () => {
    const dataDir = join(home, 'elsewhere');
    const { paths, settings } = load({ CLAUDE_MEM_DATA_DIR: dataDir });
    expect(settings.dataDir).toBe(dataDir);
    for (const path of Object.values(paths)) expect(path.startsWith(dataDir)).toBe(true);
    expect(existsSync(join(home, '.claude-mem'))).toBe(false);
  });

  it('uses the default when the data directory in the environment is blank', () => {
    const { paths, sources, problems } = load({ CLAUDE_MEM_DATA_DIR: ' ' });
    expect(paths.dataDir).toBe(join(home, '.claude-mem'));
    expect([sources.CLAUDE_MEM_DATA_DIR, problems]).toEqual(['default', []]);
  });

  it('keeps a space at the end of the data directory, as the shell does', () => {
    expect(load({ CLAUDE_MEM_DATA_DIR: '/srv/trail ' }).paths.dataDir).toBe('/srv/trail ');
  });

  it('ignores and reports a data directory in the file', () => {
    put('{"CLAUDE_MEM_DATA_DIR":"/elsewhere"}');
    const { settings, problems } = load();
    expect(settings.dataDir).toBe(join(home, '.claude-mem'));
    expect(problems[0]).toContain('CLAUDE_MEM_DATA_DIR');
  });

  it('throws when there is no home folder', () => {
    expect(() => loadSettings({ env: {}, home: '' })).toThrow(
      expect.objectContaining({ code: 'settings/no-home' }),
    );
  });
});
