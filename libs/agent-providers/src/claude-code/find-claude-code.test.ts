import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { findClaudeCode } from './find-claude-code.js';

function home(...programs: string[]) {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'cm-find-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const program of programs) {
    const file = path.join(folder, program);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, '#!/bin/sh\n', { mode: 0o755 });
  }
  return { folder, file: (name: string) => path.join(folder, name) };
}

it('returns the configured path, and expands ~', () => {
  const { folder, file } = home('own/claude', 'bin/claude');
  const env = { HOME: folder, PATH: file('bin') };
  expect(findClaudeCode({ configured: file('own/claude'), env })).toBe(file('own/claude'));
  expect(findClaudeCode({ configured: '~/own/claude', env })).toBe(file('own/claude'));
});

it('reports a configured path that does not exist, and uses no other program', () => {
  const { folder, file } = home('bin/claude');
  const find = () =>
    findClaudeCode({ configured: file('gone/claude'), env: { HOME: folder, PATH: file('bin') } });
  expect(find).toThrow(
    expect.objectContaining({
      code: 'provider/setup-required',
      message: expect.stringMatching(/CLAUDE_CODE_PATH/),
    }),
  );
  expect(find).toThrow(file('gone/claude'));
});

it('accepts a script of an older version that is only readable', () => {
  const { folder, file } = home('cli.js');
  chmodSync(file('cli.js'), 0o644);
  expect(findClaudeCode({ configured: file('cli.js'), env: { HOME: folder } })).toBe(file('cli.js'));
});

it('prefers the first executable on PATH to the folders of the installers', () => {
  const { folder, file } = home('second/claude', '.local/bin/claude');
  mkdirSync(file('first/claude'), { recursive: true });
  const PATH = ['relative', file('first'), file('none'), file('second')].join(':');
  expect(findClaudeCode({ env: { HOME: folder, PATH } })).toBe(file('second/claude'));
});

it('finds programs of the installers outside of PATH', () => {
  for (const place of ['.local/bin/claude', '.claude/local/claude', '.npm-global/bin/claude']) {
    const { folder, file } = home(place);
    expect(findClaudeCode({ env: { HOME: folder, PATH: '/nowhere' } })).toBe(file(place));
  }
});

it('returns the program behind the npm script on Windows', () => {
  const place = 'npm/node_modules/@anthropic-ai/claude-code/cli.js';
  const { folder, file } = home('npm/claude', place);
  const env = { USERPROFILE: folder, Path: 'C:\\Windows', APPDATA: folder };
  expect(findClaudeCode({ env, platform: 'win32' })).toBe(file(place));
});
