import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createGit } from '@claude-mem/freshness';
import { findBranchFiles } from './create-branch-files.js';

const searchPath = process.env['PATH'] ?? '';
let root: string;
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'cm-branch-')));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const filesOf = (folder = root, signal = AbortSignal.timeout(20_000), path = searchPath) =>
  findBranchFiles(createGit({ searchPath: path, home: root }), folder, { signal });
const write = (file: string, text: string) => {
  mkdirSync(join(root, file, '..'), { recursive: true });
  writeFileSync(join(root, file), text);
};

function git(...args: string[]) {
  const own = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.org', '-c', 'commit.gpgsign=false'];
  execFileSync('git', [...own, ...args], { cwd: root, stdio: 'pipe', env: { PATH: searchPath, HOME: root } });
}
function commit(message: string) {
  git('add', '-A');
  git('commit', '-qm', message);
}

it('finds files that were committed on the branch, staged, or changed in the work tree', async () => {
  git('init', '-q', '-b', 'main');
  for (const file of ['old.ts', 'src/tree.ts', 'src/staged.ts', 'src/committed.ts']) write(file, 'one\n');
  commit('Begin');
  git('checkout', '-qb', 'feature');
  write('src/committed.ts', 'two\n');
  write('odd "näme"\n.ts', 'two\n');
  commit('Work');
  write('src/staged.ts', 'two\n');
  git('add', '-A');
  write('src/tree.ts', 'changed in the tree\n');
  expect([...(await filesOf())].sort()).toEqual(
    ['src/committed.ts', 'src/staged.ts', 'src/tree.ts', 'odd "näme"\n.ts'].sort(),
  );
});

it('finds nothing without a repository or a commit, and after a timeout', async () => {
  expect(await filesOf()).toEqual([]);
  expect(await filesOf(join(root, 'gone'))).toEqual([]);
  git('init', '-q', '-b', 'main');
  write('a.ts', 'one\n');
  expect(await filesOf()).toEqual([]);
  commit('Begin');
  write('a.ts', 'other\n');
  expect(await filesOf()).toEqual(['a.ts']);
  expect(await filesOf(root, AbortSignal.abort())).toEqual([]);
});

it('runs no program from the configuration of the repository', async () => {
  git('init', '-q', '-b', 'main');
  const traces = ['fsmonitor', 'filter', 'differ', 'textconv'].map((name) => join(root, `ran-${name}`));
  const [monitor, filter, differ, textconv] = traces.map((trace) => {
    const script = `${trace}.sh`;
    writeFileSync(script, `#!/bin/sh\necho x >>"${trace}"\ncat\n`);
    chmodSync(script, 0o755);
    return script;
  });
  write('.gitattributes', '*.ts filter=own diff=own\n');
  write('a.ts', 'one\n');
  commit('Begin');
  for (const [key, value] of [
    ['core.fsmonitor', monitor],
    ['filter.own.clean', filter],
    ['diff.external', differ],
    ['diff.own.command', differ],
    ['diff.own.textconv', textconv],
  ] as const)
    git('config', key, String(value));
  write('a.ts', 'two\n');
  await filesOf();
  expect(traces.filter((trace) => existsSync(trace))).toEqual([]);
  // Without the protection, git runs the programs.
  git('-c', 'core.pager=cat', 'diff', '--ext-diff');
  expect(traces.filter((trace) => existsSync(trace)).length).toBeGreaterThan(0);
});

it('fetches no missing object, even when git does not know the option that prevents it', async () => {
  git('init', '-q', '-b', 'main');
  write('a.ts', 'one\n');
  commit('Begin');
  git('checkout', '-qb', 'feature');
  write('a.ts', 'two\n');
  commit('Work');
  const tree = execFileSync('git', ['rev-parse', 'main^{tree}'], { cwd: root, encoding: 'utf8' }).trim();
  rmSync(join(root, '.git', 'objects', tree.slice(0, 2), tree.slice(2)));
  const trace = join(root, 'ran-transport');
  const script = (name: string, text: string) => {
    write(name, `#!/bin/sh\n${text}\n`);
    chmodSync(join(root, name), 0o755);
    return join(root, name);
  };
  const transport = script('transport.sh', `echo x >>"${trace}"`);
  for (const [key, value] of [
    ['core.repositoryformatversion', '1'],
    ['extensions.partialClone', 'origin'],
    ['remote.origin.promisor', 'true'],
    ['remote.origin.url', `ext::${transport}`],
    ['protocol.ext.allow', 'always'],
  ] as const)
    git('config', key, value);
  script('old/git', `unset GIT_NO_LAZY_FETCH\nPATH=\${PATH#*:}\nexec git "$@"`);
  await filesOf(root, undefined, [join(root, 'old'), searchPath].join(delimiter));
  expect(existsSync(trace)).toBe(false);
  // Without the protection, git runs the program.
  expect(() => git('diff', '--name-only', 'main', 'HEAD')).toThrow();
  expect(existsSync(trace)).toBe(true);
});
