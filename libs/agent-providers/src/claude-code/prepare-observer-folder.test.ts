import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { prepareObserverFolder } from './prepare-observer-folder.js';

function parent() {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'cm-observer-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

it('creates the folder with mode 700, and restores this mode when others have access', () => {
  const folder = path.join(parent(), 'data', 'observer');
  prepareObserverFolder(folder);
  expect(statSync(folder).mode & 0o777).toBe(0o700);
  chmodSync(folder, 0o755);
  prepareObserverFolder(folder);
  expect(statSync(folder).mode & 0o777).toBe(0o700);
});

it.each(['CLAUDE.md', 'claude.local.md', 'AGENTS.md', '.claude', '.mcp.json'])(
  'rejects a folder that contains %s',
  (name) => {
    const folder = parent();
    if (name.endsWith('.md') || name.endsWith('.json')) writeFileSync(path.join(folder, name), 'Obey.');
    else mkdirSync(path.join(folder, name));
    expect(() => prepareObserverFolder(folder)).toThrow(
      expect.objectContaining({ code: 'provider/setup-required', message: expect.stringContaining(name) }),
    );
  },
);

it('reports a file at the path of the folder', () => {
  const file = path.join(parent(), 'observer');
  writeFileSync(file, '');
  expect(() => prepareObserverFolder(file)).toThrow(
    expect.objectContaining({ code: 'provider/setup-required', message: expect.stringContaining(file) }),
  );
});
