import { expect, it } from 'vitest';
import { childEnvironment } from './child-environment.js';

it('B070: a child gets nothing that names a key, an account or an address of the vendor', () => {
  const traps = {
    ANTHROPIC_API_KEY: 'trap',
    ANTHROPIC_AUTH_TOKEN: 'trap',
    ANTHROPIC_BASE_URL: 'http://trap',
    ANTHROPIC_MODEL: 'trap',
    ANTHROPIC_CUSTOM_HEADERS: 'trap: trap',
    CLAUDE_CODE_OAUTH_TOKEN: 'trap',
    CLAUDE_CODE_USE_BEDROCK: 'trap',
    CLAUDE_CODE_USE_VERTEX: 'trap',
    CLAUDE_PROJECT_DIR: '/trap',
    AWS_SECRET_ACCESS_KEY: 'trap',
    OPENAI_API_KEY: 'trap',
    GITHUB_TOKEN: 'trap',
    NODE_OPTIONS: '--require=trap',
    LD_PRELOAD: 'trap',
  };
  expect(JSON.stringify(childEnvironment({ ...traps, HOME: '/home/dev' }))).not.toContain('trap');
});

it('a child finds the login, the programs and the way out', () => {
  const needed = {
    HOME: '/home/dev',
    PATH: '/usr/bin',
    LC_ALL: 'C.UTF-8',
    XDG_CONFIG_HOME: '/home/dev/.config',
    CLAUDE_CONFIG_DIR: '/home/dev/.claude-work',
    https_proxy: 'http://proxy:3128',
    NODE_EXTRA_CA_CERTS: '/etc/ca.pem',
    SystemRoot: 'C:\\Windows',
    APPDATA: 'C:\\Users\\dev\\AppData\\Roaming',
  };
  expect(childEnvironment({ ...needed, EMPTY: undefined })).toMatchObject(needed);
});

it('a child carries our marker, reports nothing home, attaches no files and asks once', () => {
  expect(childEnvironment({ CLAUDE_MEM_OBSERVER: '', CLAUDE_CODE_MAX_RETRIES: '10' })).toMatchObject({
    CLAUDE_MEM_OBSERVER: '1',
    DISABLE_TELEMETRY: '1',
    DISABLE_AUTOUPDATER: '1',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    CLAUDE_CODE_DISABLE_ATTACHMENTS: '1',
    CLAUDE_CODE_MAX_RETRIES: '0',
  });
});
