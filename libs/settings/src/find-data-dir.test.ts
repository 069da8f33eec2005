import { chownSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { findDataDir } from './index.js';

let root: string;
let home: string;
let clone: string;
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'data-dir-')));
  home = join(root, 'home');
  clone = join(home, 'work', 'clone');
  mkdirSync(join(clone, '.mem'), { recursive: true });
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const find = (asked?: string, more: { home?: string; cwd?: string; env?: Record<string, string> } = {}) =>
  findDataDir({ home, cwd: clone, ...more, env: { CLAUDE_MEM_DATA_DIR: asked, ...more.env } });
const refused = (message: RegExp) =>
  expect.objectContaining({ code: 'settings/refused-folder', message: expect.stringMatching(message) });

describe('the data folder', () => {
  it('is .claude-mem in the home folder, or another absolute path outside of projects', () => {
    expect(find()).toBe(join(home, '.claude-mem'));
    expect(find('~/mem')).toBe(join(home, 'mem'));
    expect(find(join(root, 'mem'))).toBe(join(root, 'mem'));
  });

  it.each(['work/clone/.mem', '.mem', 'c:', 'c:/mem', './mem'])(
    'S04: is refused when the path is not absolute: %s',
    (asked) => {
      const message = `The data folder ${asked} \\(CLAUDE_MEM_DATA_DIR\\) cannot be used: it is not an absolute path`;
      expect(() => find(asked)).toThrow(refused(new RegExp(message)));
    },
  );

  it('S04: is refused when the path depends on the process', () => {
    expect(() => find('/proc/self/cwd/.mem')).toThrow(refused(/it depends on the process/));
    expect(() => find('/tmp/../proc/self/cwd/.mem')).toThrow(refused(/it depends on the process/));
  });

  it('S04: is refused when it is inside the current folder or the project of the host', () => {
    const link = join(root, 'link');
    symlinkSync(clone, link);
    for (const folder of [clone, join(clone, '.mem'), join(clone, 'new', 'mem'), join(link, '.mem')]) {
      expect(() => find(folder), folder).toThrow(refused(/it is (inside the project|the current folder)/));
      const env = { CLAUDE_PROJECT_DIR: link };
      expect(() => find(folder, { cwd: '/', env }), folder).toThrow(refused(/it is inside the project/));
    }
    expect(find(join(root, 'mem'), { cwd: '/' })).toBe(join(root, 'mem'));
  });

  it('S04: is refused when a git repository contains it, also for the worker', () => {
    mkdirSync(join(clone, '.git'));
    const asked = join(clone, '.mem');
    for (const cwd of ['/', clone, undefined])
      expect(() => findDataDir({ home, cwd, env: { CLAUDE_MEM_DATA_DIR: asked } })).toThrow(
        refused(/it is inside the project .*clone/),
      );
  });

  it('S04: is refused when it is a git repository itself', () => {
    mkdirSync(join(clone, '.git'));
    mkdirSync(join(clone, 'app'));
    const places = { home, cwd: join(clone, 'app') };
    expect(() => find(clone, places)).toThrow(refused(/it is inside the project .*clone/));
    expect(() => find(join(root, 'mem'), { ...places, home: clone })).toThrow(
      refused(/home folder .* inside the project/),
    );
  });

  it('S04: is refused when the home folder is relative or inside the project', () => {
    expect(() => find(undefined, { home: '.' })).toThrow(refused(/home folder .* not an absolute path/));
    const inside = { home: join(clone, 'home') };
    expect(() => find(undefined, inside)).toThrow(refused(/home folder .* inside the project/));
    expect(() => find(join(root, 'mem'), inside)).toThrow(refused(/inside the project/));
  });

  it('S04: is refused when the home folder or the data folder is the current folder', () => {
    const link = join(root, 'link');
    symlinkSync(clone, link);
    const advice =
      'it is the current folder, which could be a cloned repository. Run the command in another folder, or set the variable to another folder.';
    for (const cwd of [clone, link]) {
      const refusal = { code: 'settings/refused-folder' };
      expect(() => find(undefined, { home: clone, cwd })).toThrow(
        expect.objectContaining({
          ...refusal,
          message: `The home folder ${clone} (HOME) cannot be used: ${advice}`,
        }),
      );
      expect(() => find(clone, { cwd })).toThrow(
        expect.objectContaining({
          ...refusal,
          message: `The data folder ${clone} (CLAUDE_MEM_DATA_DIR) cannot be used: ${advice}`,
        }),
      );
    }
  });

  it('is accepted when the current folder is the home folder of the user database', () => {
    const own = userInfo().homedir;
    expect(find(undefined, { home: own, cwd: own })).toBe(join(own, '.claude-mem'));
  });

  it.skipIf(process.getuid?.() !== 0)('S04: is refused when it belongs to another user', () => {
    const folder = join(root, 'theirs');
    mkdirSync(folder);
    chownSync(folder, 65_534, 65_534);
    expect(() => find(folder)).toThrow(refused(/it belongs to another user/));
  });
});
