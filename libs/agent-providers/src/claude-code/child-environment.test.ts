import { expect, it } from 'vitest';
import { childEnvironment } from './child-environment.js';

it('B070: passes no variable to a child that names a key, an account or an address of the vendor', () => {
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

it('passes the variables for the login, the programs and the network to a child', () => {
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

it('marks a child as an observer and disables telemetry, attachments and retries', () => {
  expect(childEnvironment({ CLAUDE_MEM_OBSERVER: '', CLAUDE_CODE_MAX_RETRIES: '10' })).toMatchObject({
    CLAUDE_MEM_OBSERVER: '1',
    DISABLE_TELEMETRY: '1',
    DISABLE_AUTOUPDATER: '1',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    CLAUDE_CODE_DISABLE_ATTACHMENTS: '1',
    CLAUDE_CODE_MAX_RETRIES: '0',
  });
});
