import path from 'node:path';
import { workspacePaths } from '@claude-mem/testing';
import { ESLint } from 'eslint';
import { beforeAll, describe, expect, it } from 'vitest';

/** The allowed imports of each package. They repeat the lint rules on purpose. */
const ALLOWED: Readonly<Record<string, readonly string[]>> = {
  'libs/core': [],
  'libs/privacy': ['core'],
  'libs/settings': ['core'],
  'libs/worker-protocol': ['core'],
  'libs/lexical-index': ['core'],
  'libs/storage': ['core', 'lexical-index'],
  'libs/queue': ['core'],
  'libs/parser': ['core'],
  'libs/evidence': ['core'],
  'libs/agent-providers': ['core'],
  'libs/local-observer': ['core', 'lexical-index', 'evidence', 'agent-providers'],
  'libs/search': ['core', 'lexical-index', 'storage'],
  'libs/context-render': ['core', 'privacy'],
  'libs/host-adapters': ['core', 'privacy'],
  'libs/freshness': ['core', 'privacy', 'host-adapters'],
  'libs/capture': [
    'core',
    'privacy',
    'settings',
    'evidence',
    'local-observer',
    'search',
    'context-render',
    'host-adapters',
    'freshness',
  ],
  'libs/observer': [
    'core',
    'privacy',
    'settings',
    'queue',
    'parser',
    'evidence',
    'agent-providers',
    'local-observer',
    'freshness',
  ],
  'apps/hooks-cli': ['core', 'settings', 'worker-protocol', 'host-adapters', 'storage', 'search'],
};

const LIBRARIES = Object.keys(ALLOWED)
  .filter((folder) => folder.startsWith('libs/'))
  .map((folder) => path.basename(folder));

describe('the boundaries between packages', () => {
  let eslint: ESLint;
  beforeAll(() => {
    eslint = new ESLint({ cwd: workspacePaths.root });
  });

  /** The packages whose import is an error in this package. */
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

  it.each(Object.entries(ALLOWED))(
    'P005: %s may import its row of the table and nothing else',
    async (folder, allowed) => {
      const forbidden = LIBRARIES.filter((name) => name !== path.basename(folder) && !allowed.includes(name));
      expect(await refusedIn(folder)).toEqual(forbidden.toSorted());
    },
  );

  it('P005: no package reaches into another by a relative path', async () => {
    const [result] = await eslint.lintText(`export * from '../../core/src/index.js';\n`, {
      filePath: path.join(workspacePaths.root, 'libs', 'storage', 'src', 'probe.ts'),
    });
    expect(result?.messages.map(({ ruleId }) => ruleId)).toContain('@nx/enforce-module-boundaries');
  });
});
