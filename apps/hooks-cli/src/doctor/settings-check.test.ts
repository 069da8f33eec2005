import { loadSettings } from '@claude-mem/settings';
import { expect, it } from 'vitest';
import type { CheckContext } from './check.js';
import { settingsCheck } from './settings-check.js';

type Item = { key: string; value: unknown; source: 'env' | 'file' | 'default' };

function examine(env: Record<string, string>, items: readonly Item[] | null) {
  return settingsCheck.run({
    loaded: loadSettings({ env, home: '/home/nobody-here' }),
    health: items && {},
    worker: { client: { getSettings: async () => ({ items }) } },
  } as unknown as CheckContext);
}

it('S03: shows values and sources of the running worker', async () => {
  const result = await examine({}, [
    { key: 'CLAUDE_MEM_PROVIDER', value: 'openai-compatible', source: 'env' },
    { key: 'CLAUDE_MEM_OPENAI_MODEL', value: 'small', source: 'file' },
    { key: 'CLAUDE_MEM_LANGUAGE', value: '', source: 'default' },
  ]);
  expect(result).toEqual({
    state: 'ok',
    detail: [
      'no settings.json',
      'The worker uses CLAUDE_MEM_PROVIDER = openai-compatible (from its environment)',
      'The worker uses CLAUDE_MEM_OPENAI_MODEL = small (from settings.json)',
    ].join('\n'),
  });
});

it('warns about unknown keys in settings.json, and names the nearest setting', async () => {
  const text = '{ "CLAUDE_MEM_MODL": "x", "COLOUR": "red", "env": { "CLAUDE_MEM_LANGUAGE": "de" } }';
  const loaded = loadSettings({ env: {}, home: '/home/nobody-here', readFile: () => text });
  const result = await settingsCheck.run({ loaded, health: null } as unknown as CheckContext);
  expect(result).toMatchObject({
    state: 'warn',
    detail: [
      'CLAUDE_MEM_MODL in settings.json is not a setting. Did you mean CLAUDE_MEM_MODEL?',
      'COLOUR in settings.json is not a setting.',
      'no settings.json',
    ].join('\n'),
  });
});

it('R16: accepts a data folder path that is written differently from the path of the worker', async () => {
  const env = { CLAUDE_MEM_DATA_DIR: '/home/nobody-here/link' };
  const item = { key: 'CLAUDE_MEM_DATA_DIR', value: '/home/nobody-here/disk', source: 'env' } as const;
  expect(await examine(env, [item])).toMatchObject({ state: 'ok' });
});

it('S03: warns when the worker does not use a setting of this environment', async () => {
  const env = {
    CLAUDE_MEM_PROVIDER: 'gemini',
    CLAUDE_MEM_GEMINI_API_KEY: 'AIza-secret-of-this-test-0123456789',
  };
  const result = await examine(env, [
    { key: 'CLAUDE_MEM_PROVIDER', value: 'auto', source: 'default' },
    { key: 'CLAUDE_MEM_GEMINI_API_KEY', value: '****6789', source: 'file' },
  ]);
  expect(result).toMatchObject({
    state: 'warn',
    detail: expect.stringMatching(/does not use CLAUDE_MEM_PROVIDER of this environment/) as string,
  });
  expect(JSON.stringify(result)).not.toContain('secret');
});

it('shows only the file when no worker runs', async () => {
  expect(await examine({ CLAUDE_MEM_PROVIDER: 'gemini' }, null)).toEqual({
    state: 'ok',
    detail: 'no settings.json',
  });
});
