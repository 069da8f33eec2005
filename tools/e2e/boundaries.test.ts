import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { workspacePaths } from '@claude-mem/testing';
import { ESLint } from 'eslint';
import { beforeAll, describe, expect, it } from 'vitest';

const ARCHITECTURE = path.join(workspacePaths.root, 'docs', 'architecture.md');

/** Returns the documented rows `| folder | purpose | may import |`, except packages that may import any package. */
const ALLOWED = new Map(
  [...readFileSync(ARCHITECTURE, 'utf8').matchAll(/^\| ((?:libs|apps)\/\S+) +\|[^|]*\| ([^|]*?) +\|$/gm)].map(
    ([, folder = '', imports = '']) => [folder, imports === '–' ? [] : imports.split(', ')] as const,
  ),
);
const RESTRICTED = [...ALLOWED].filter(([, allowed]) => !allowed.includes('any'));
const LIBRARIES = readdirSync(path.join(workspacePaths.root, 'libs'));

describe('package boundaries', () => {
  let eslint: ESLint;
  beforeAll(() => {
    eslint = new ESLint({ cwd: workspacePaths.root });
  });

  async function refusedIn(folder: string): Promise<readonly string[]> {
    const others = LIBRARIES.filter((name) => name !== path.basename(folder));
    const text = others.map((name) => `export * from '@claude-mem/${name}';\n`).join('');
    const [result] = await eslint.lintText(text, {
      filePath: path.join(workspacePaths.root, folder, 'src', 'probe.ts'),
    });
    const lines = (result?.messages ?? [])
      .filter(({ ruleId }) => ruleId === '@nx/enforce-module-boundaries')
      .map(({ line }) => others[line - 1] ?? '');
    return [...new Set(lines)].toSorted();
  }

  it('are documented for each library', () => {
    expect(LIBRARIES.filter((name) => !ALLOWED.has(`libs/${name}`))).toEqual([]);
  });

  it.each(RESTRICTED)('P005: %s may import only the documented packages', async (folder, allowed) => {
    const forbidden = LIBRARIES.filter((name) => name !== path.basename(folder) && !allowed.includes(name));
    expect(await refusedIn(folder)).toEqual(forbidden.toSorted());
  });

  it('P005: forbid an import from another package by a relative path', async () => {
    const [result] = await eslint.lintText(`export * from '../../core/src/index.js';\n`, {
      filePath: path.join(workspacePaths.root, 'libs', 'storage', 'src', 'probe.ts'),
    });
    expect(result?.messages.map(({ ruleId }) => ruleId)).toContain('@nx/enforce-module-boundaries');
  });
});
