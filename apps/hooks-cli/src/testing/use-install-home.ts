import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach } from 'vitest';
import { createTestHome, type TestHome } from './run-inside.js';

/** Provides an empty home and a folder with synthetic programs for each test of the file. */
export function useInstallHome() {
  const test = {} as TestHome;
  const programs = { folder: '', hook: '', server: '' };

  beforeEach(() => {
    const folder = mkdtempSync(join(tmpdir(), `cm it's "here"-`));
    const hook = join(folder, 'hooks-cli', 'dist', 'hook.sh');
    const server = join(folder, 'mcp-server', 'dist', 'mcp-server.js');
    for (const file of [hook, server, join(folder, 'hooks-cli', 'package.json')]) {
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, '{ "version": "1.0.0" }');
    }
    Object.assign(programs, { folder, hook, server });
    Object.assign(test, createTestHome(dirname(hook)));
  });
  afterEach(() => {
    test[Symbol.dispose]();
    rmSync(programs.folder, { recursive: true, force: true });
  });

  /** Path of a file in the home. */
  const path = (...names: string[]) => join(test.home, ...names);
  return {
    test,
    programs,
    path,
    read: (...names: string[]) => readFileSync(path(...names), 'utf8'),
    put(content: string, ...names: string[]) {
      mkdirSync(dirname(path(...names)), { recursive: true });
      writeFileSync(path(...names), content);
    },
    /** Runs doctor and returns one of its checks. */
    async checkOf(title: string) {
      const { stdout } = await test.run(['doctor', '--json']);
      const checks = JSON.parse(stdout) as { title: string; state: string; detail: string }[];
      return checks.find((check) => check.title === title);
    },
  };
}
