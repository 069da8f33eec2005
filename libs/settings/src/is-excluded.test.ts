import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { processorTime } from '@claude-mem/core/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isExcluded, loadSettings } from './index.js';

let home: string;
beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), 'excluded-')));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const check = (patterns: string, folder: string, real = folder) =>
  isExcluded(loadSettings({ env: { CLAUDE_MEM_EXCLUDED_PROJECTS: patterns }, home }).settings, folder, real);

describe('isExcluded', () => {
  it('B072: matches the folder, its subfolders and a link to it', () => {
    mkdirSync(join(home, 'secret', 'deep'), { recursive: true });
    symlinkSync(join(home, 'secret'), join(home, 'link'));
    for (const pattern of ['~/secret/**', '$HOME/secret', `${home}/secret/`, '~/link/**', 'secret']) {
      expect(check(pattern, join(home, 'secret')), pattern).toBe(true);
      expect(check(pattern, join(home, 'secret', 'deep')), pattern).toBe(true);
      expect(check(pattern, join(home, 'link', 'deep'), join(home, 'secret', 'deep')), pattern).toBe(true);
      expect(check(pattern, join(home, 'secrets')), pattern).toBe(false);
      expect(check(pattern, home), pattern).toBe(false);
    }
  });

  it.each([
    ['/a/*/c', '/a/b/c', true],
    ['/a/*/c', '/a/b/x/c', false],
    ['/a/**/c', '/a/c', true],
    ['/a/**/c', '/a/b/x/c/y', true],
    ['/a/?', '/a/bb', false],
    ['/a/{b,c*}', '/a/cat/x', true],
    ['/a/{b,c}', '/a/d', false],
    ['client-*', '/jobs/client-x/src', true],
    ['x/client', '/a/x/client', true],
    ['/a/[b]', '/a/b', false],
    ['/a/[b]', '/a/[b]/c', true],
    ['/a/{b', '/a/{b', true],
    ['/a.b', '/axb', false],
    ['C:\\Users\\me\\secret', 'C:\\Users\\me\\secret\\x', true],
    ['/проект/*', '/проект/アプリ', true],
    ['**', '/anything', true],
    ['', '/anything', false],
  ])('matches the glob %s with the folder %s: %s', (pattern, folder, expected) => {
    expect(check(pattern, folder)).toBe(expected);
  });

  it('stays fast when a pattern has many wildcards', () => {
    const spent = processorTime();
    check(`/${'*a'.repeat(30)}`, `/${'a'.repeat(60)}b`);
    check(`/${'**/a/'.repeat(12)}x`, `/${'a/'.repeat(60)}`);
    expect(spent()).toBeLessThan(1000);
  });
});
