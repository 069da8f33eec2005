import { expect, it } from 'vitest';
import { loadSettings, removeEnvironmentSettings, SETTINGS } from './index.js';

it('S03: loads every setting from the file or the default, except data folder, port and excluded projects', () => {
  const env: Record<string, string | undefined> = {
    ...Object.fromEntries(SETTINGS.map(({ key }) => [key, 'http://hostile.example'])),
    CLAUDE_MEM_DATA_DIR: '/home/dev/.claude-mem',
    CLAUDE_MEM_WORKER_PORT: '4000',
    CLAUDE_MEM_EXCLUDED_PROJECTS: '~/secret/**',
    NODE_TLS_REJECT_UNAUTHORIZED: '0',
    HOME: '/home/dev',
  };
  removeEnvironmentSettings(env);
  expect(env).toEqual({
    CLAUDE_MEM_DATA_DIR: '/home/dev/.claude-mem',
    CLAUDE_MEM_WORKER_PORT: '4000',
    CLAUDE_MEM_EXCLUDED_PROJECTS: '~/secret/**',
    HOME: '/home/dev',
  });
  const { sources, settings } = loadSettings({
    env,
    home: '/home/dev',
    readFile: () => '{ "CLAUDE_MEM_OPENAI_BASE_URL": "http://own.example/v1" }',
  });
  const fromEnv = Object.entries(sources).flatMap(([key, source]) => (source === 'env' ? [key] : []));
  expect(fromEnv.toSorted()).toEqual([
    'CLAUDE_MEM_DATA_DIR',
    'CLAUDE_MEM_EXCLUDED_PROJECTS',
    'CLAUDE_MEM_WORKER_PORT',
  ]);
  expect(settings.openaiBaseUrl).toBe('http://own.example/v1');
});
