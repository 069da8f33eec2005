import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';
import {
  begin,
  check,
  commit,
  git,
  gitIn,
  nothing,
  one,
  openCheck,
  record,
  root,
  useRepository,
  write,
} from './__fixtures__/use-repository.js';

useRepository();

/** Adds empty commits with increasing dates. */
function addCommits(count: number) {
  const from = gitIn(root, 'rev-parse', 'HEAD').toString().trim();
  const commits = Array.from({ length: count }, (_, index) => {
    const parent = index === 0 ? `from ${from}\n` : '';
    return `commit refs/heads/main\ncommitter Ada <a@b.c> ${2_000_000_000 + index} +0000\ndata 1\nx\n${parent}`;
  });
  execFileSync('git', ['fast-import', '--quiet'], { cwd: root, input: commits.join('') });
  git('reset', '-q', '--hard', 'main');
}

it('reports a file as changed only when its recorded content was found, in a history that is not read completely', async () => {
  begin('a.ts', 'b.ts');
  write('a.ts', 'one\n');
  commit();
  addCommits(50_000);
  const draft = await record({ 'a.ts': 'modified' }, () => write('a.ts', 'a draft\n'));
  write('a.ts', 'one\n');
  const recordCheck = await openCheck();
  expect(await check(draft, root, recordCheck)).toEqual(nothing('unknown'));
  const id = await record({ 'b.ts': 'modified' }, () => {
    write('b.ts', 'one\n');
    commit();
  });
  write('b.ts', 'two\n');
  commit();
  expect(await check(id, root, recordCheck)).toEqual(one('changed', 'b.ts'));
}, 60_000);
