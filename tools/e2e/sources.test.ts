import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { workspacePaths } from '@claude-mem/testing';
import { describe, expect, it } from 'vitest';

/** Returns the shipped sources, without tests, test suites and test helpers. */
const shipped = ['libs', 'apps'].flatMap((parent) =>
  readdirSync(path.join(workspacePaths.root, parent))
    .filter((name) => name !== 'testing')
    .flatMap((name) => filesBelow(`${parent}/${name}/src`)),
);

function filesBelow(folder: string): readonly string[] {
  return readdirSync(path.join(workspacePaths.root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(workspacePaths.root, path.join(entry.parentPath, entry.name)))
    .filter((file) => !/\.test\.|\/testing\/|\/(?:__)?fixtures(?:__)?\//.test(file));
}

const read = (file: string) => readFileSync(path.join(workspacePaths.root, file), 'utf8');

describe('shipped sources', () => {
  it('B038: start processes only in the listed files and hide the window of every process', () => {
    const starting = shipped.filter(
      (file) => file.endsWith('.ts') && /['"](node:)?child_process['"]/.test(read(file)),
    );
    // Expected child processes: the plugin build, programs of claude-mem, git, the observer's client, the hook from
    // OpenCode, and Chroma.
    expect(starting.toSorted()).toEqual([
      'apps/claude-code-plugin/src/copy-packages.ts',
      'apps/hooks-cli/src/spawn-quiet.ts',
      'libs/agent-providers/src/claude-code/spawn-child.ts',
      'libs/freshness/src/git/create-git.ts',
      'libs/host-adapters/src/opencode/plugin-text.ts',
      'libs/search/src/chroma/managed/process-stamp.ts',
      'libs/search/src/chroma/managed/start-managed-server.ts',
    ]);
    for (const file of starting) {
      const starts = read(file).match(/\b(?:spawn|execFile(?:Sync)?)\(/g) ?? [];
      expect(read(file).match(/windowsHide: true/g) ?? []).toHaveLength(starts.length);
    }
    const scripts = shipped.filter((file) => file.endsWith('.sh'));
    for (const script of scripts) {
      const starts = read(script).match(/\bspawn\([^)]*\)?[^;]*/g) ?? [];
      for (const start of starts) expect(start).toMatch(/windowsHide: true/);
    }
  });

  it('contain no path of the machine on which the tests run', () => {
    const words = [path.dirname(workspacePaths.root), process.env['HOME'] ?? '/root'].filter(
      (word) => word.length > 2,
    );
    expect(shipped.filter((file) => words.some((word) => read(file).includes(`${word}/`)))).toEqual([]);
  });
});
