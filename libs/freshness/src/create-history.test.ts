import { describe, expect, it } from 'vitest';
import {
  storage,
  root,
  useRepository,
  git,
  write,
  commit,
  begin,
  record,
  runGit,
  openCheck,
  check,
  nothing,
} from './__fixtures__/use-repository.js';

useRepository();

describe('repeated checks of a repository', () => {
  it('reads all commits once, and only new commits afterwards', async () => {
    const paths = Array.from({ length: 120 }, (_, index) => `file-${index}.ts`);
    begin(...paths);
    for (const path of paths) await record({ [path]: 'read' });
    for (const text of ['one\n', 'two\n']) {
      for (const path of paths) write(path, text);
      commit();
    }
    const walks: string[] = [];
    const recordCheck = openCheck(root, (folder, args, options) => {
      if (args[0] === 'diff-tree') walks.push(options.input ?? '');
      return runGit(folder, args, options);
    });
    expect(await check(1, root, recordCheck)).toMatchObject({ files: [{ commits: 2 }] });
    write(paths[0]!, 'three\n');
    commit();
    expect(await check(1, root, recordCheck)).toMatchObject({ files: [{ commits: 3 }] });
    expect(walks.map((commits) => commits.trim().split('\n').length)).toEqual([3, 1]);
  });

  it('returns the verdicts of a new check when commits were replaced', async () => {
    begin('a.ts', 'b.ts');
    const ids = [await record({ 'a.ts': 'read' }), await record({ 'b.ts': 'read' })];
    const recordCheck = await openCheck();
    const commits = async (id: number) => {
      const found = await check(id, root, recordCheck);
      expect(await check(id)).toEqual(found);
      return found.files.map((file) => file.commits);
    };
    for (const text of ['one\n', 'two\n']) {
      write('a.ts', text);
      commit();
    }
    expect(await commits(ids[0]!)).toEqual([2]);
    git('reset', '-q', '--soft', 'HEAD~2');
    write('b.ts', 'three\n');
    commit();
    expect(await commits(ids[0]!)).toEqual([1]);
    expect(await commits(ids[1]!)).toEqual([1]);
    git('checkout', '-q', '-b', 'other', 'HEAD~1');
    expect(await check(ids[0]!, root, recordCheck)).toEqual(nothing('fresh'));
  });
});

it('checks all records when they do not fit in one step', async () => {
  begin('a.ts');
  const ids = [];
  for (let index = 0; index < 120; index += 1) ids.push(await record({ 'a.ts': 'read' }));
  write('a.ts', 'new\n');
  commit();
  await check(ids[0]!);
  const rows = await storage.store.freshnessOf(ids);
  expect(rows).toHaveLength(120);
  expect(new Set(rows.map(({ freshness }) => freshness.verdict))).toEqual(new Set(['changed']));
  expect(await storage.store.listStale({ limit: 500 })).toHaveLength(120);
});
