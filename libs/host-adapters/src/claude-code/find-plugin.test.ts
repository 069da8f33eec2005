import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { findClaudeCodePlugin } from './find-plugin.js';

let home: string;
beforeEach(() => void (home = mkdtempSync(join(tmpdir(), 'plugin-'))));
afterEach(() => rmSync(home, { recursive: true, force: true }));

it.each([
  ['a valid file', '{ "enabledPlugins": { "mem@claude-mem": true } }', 'mem@claude-mem'],
  ['a file with a trailing comma', '{ "enabledPlugins": { "mem@claude-mem": true }, }', null],
  ['a file with a comment', '{ "enabledPlugins": { "mem@claude-mem": true } } // mine', null],
])('R16: finds the plugin only when Claude Code reads the settings: %s', (_, text, expected) => {
  mkdirSync(join(home, '.claude'));
  writeFileSync(join(home, '.claude', 'settings.json'), text);
  expect(findClaudeCodePlugin({ home })).toBe(expected);
});
