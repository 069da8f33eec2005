import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { currentProject, projectFilter } from './current-project.js';

let home: string;
let shop: string;
beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), 'cm-home-')));
  shop = join(home, 'a shop');
  mkdirSync(join(shop, '.git', 'objects'), { recursive: true });
  writeFileSync(join(shop, '.git', 'HEAD'), 'ref: refs/heads/main\n');
  mkdirSync(join(shop, 'src'));
});
afterEach(() => rmSync(home, { recursive: true }));

const keyOf = (roots: readonly string[], places: { projectDir?: string; cwd?: string } = {}) =>
  currentProject(roots, { home, cwd: home, projectDir: undefined, ...places })?.key ?? null;

it('returns the repository of the first root that is a project', () => {
  expect(keyOf([String(pathToFileURL(join(shop, 'src')))])).toBe(shop);
  expect(
    keyOf(['https://example.org/x', 'file://%', String(pathToFileURL(home)), String(pathToFileURL(shop))]),
  ).toBe(shop);
});

it('returns the project folder of the host, or the start folder when it is not set', () => {
  const library = join(shop, 'library');
  mkdirSync(join(library, '.git', 'objects'), { recursive: true });
  writeFileSync(join(library, '.git', 'HEAD'), 'ref: refs/heads/main\n');
  expect(keyOf([], { projectDir: join(shop, 'src'), cwd: shop })).toBe(shop);
  expect(keyOf([], { projectDir: shop, cwd: library })).toBe(shop);
  expect(keyOf([], { cwd: library })).toBe(library);
  expect(keyOf([], { projectDir: home, cwd: shop })).toBe(shop);
});

it('S06: ignores the project folder of the host when the server was started elsewhere', () => {
  const evil = join(home, 'evil');
  mkdirSync(evil);
  expect(keyOf([], { projectDir: shop, cwd: evil })).toBe(evil);
  expect(keyOf([], { projectDir: shop, cwd: home })).toBeNull();
});

it('returns null when the server was started in the home folder', () => {
  expect(keyOf([], { projectDir: '', cwd: home })).toBeNull();
});

it('finds a project by a folder or by its name', () => {
  const named = ['shop', join(shop, 'src'), '~/a shop/src', String(pathToFileURL(shop))];
  expect(named.map((given) => projectFilter(given, { home }))).toEqual(['shop', shop, shop, shop]);
});
