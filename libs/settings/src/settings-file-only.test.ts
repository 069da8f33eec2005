import { expect, it } from 'vitest';
import { loadSettings, SETTINGS } from './index.js';
import { clearEnvironment } from './settings-file-only.js';

it('S03: keeps only variables of the system, the data folder and the port', () => {
  const kept = {
    CLAUDE_MEM_DATA_DIR: '/home/dev/.claude-mem',
    CLAUDE_MEM_WORKER_PORT: '4000',
    HOME: '/home/dev',
    PATH: '/usr/bin',
    LC_CTYPE: 'C.UTF-8',
    TZ: 'Europe/Berlin',
    SystemRoot: 'C:\\Windows',
  };
  const env: Record<string, string | undefined> = {
    ...Object.fromEntries(SETTINGS.map(({ key }) => [key, 'http://hostile.example'])),
    HTTPS_PROXY: 'http://hostile.example',
    https_proxy: 'http://hostile.example',
    no_proxy: '*',
    NODE_EXTRA_CA_CERTS: 'work/evil/ca.pem',
    node_extra_ca_certs: 'work/evil/ca.pem',
    NODE_TLS_REJECT_UNAUTHORIZED: '0',
    NODE_V8_COVERAGE: 'work/evil',
    SSL_CERT_FILE: 'work/evil/ca.pem',
    CLAUDE_CONFIG_DIR: 'work/evil',
    XDG_CONFIG_HOME: 'work/evil',
    TMPDIR: 'work/evil',
    ...kept,
  };
  clearEnvironment(env);
  expect(env).toEqual(kept);
  const { sources, settings } = loadSettings({
    env,
    home: '/home/dev',
    readFile: () => '{ "CLAUDE_MEM_OPENAI_BASE_URL": "http://own.example/v1" }',
  });
  const fromEnv = Object.entries(sources).flatMap(([key, source]) => (source === 'env' ? [key] : []));
  expect(fromEnv.toSorted()).toEqual(['CLAUDE_MEM_DATA_DIR', 'CLAUDE_MEM_WORKER_PORT']);
  expect(settings.openaiBaseUrl).toBe('http://own.example/v1');
});
