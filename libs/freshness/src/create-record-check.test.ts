import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import {
  folder,
  storage,
  root,
  useRepository,
  gitIn,
  git,
  textOf,
  write,
  commit,
  begin,
  record,
  openCheck,
  check,
  one,
  nothing,
} from './__fixtures__/use-repository.js';

useRepository();

describe('a file of a repository', () => {
  beforeEach(() => begin('src/cart.ts', 'src/other.ts'));

  it('is fresh when its content is the same', async () => {
    const id = await record({ 'src/cart.ts': 'modified' }, () => write('src/cart.ts', 'new\n'));
    expect(await check(id)).toEqual(nothing('fresh'));
    commit();
    write('src/other.ts', 'other\n');
    commit();
    expect(await check(id)).toEqual(nothing('fresh'));
  });

  it('is changed, with the number of commits, when later commits changed it', async () => {
    const id = await record({ 'src/cart.ts': 'read' });
    for (const text of ['one\n', 'two\n', 'three\n']) {
      write('src/cart.ts', text);
      commit();
    }
    expect(await check(id)).toEqual(one('changed', 'src/cart.ts', { commits: 3 }));
  });

  it('is changed, and the number of commits excludes the commit of the turn, when later commits changed it', async () => {
    const id = await record({ 'src/cart.ts': 'modified' }, () => {
      write('src/cart.ts', 'by the turn\n');
      commit();
    });
    write('src/cart.ts', 'later\n');
    commit();
    expect(await check(id)).toEqual(one('changed', 'src/cart.ts', { commits: 1 }));
  });

  it('is changed, without a number, when the change is not committed', async () => {
    const id = await record({ 'src/cart.ts': 'read' });
    write('src/cart.ts', 'not committed\n');
    expect(await check(id)).toEqual(one('changed', 'src/cart.ts'));
  });

  it('is changed when the recorded content was never committed', async () => {
    const id = await record({ 'src/cart.ts': 'modified' }, () => write('src/cart.ts', 'a draft\n'));
    write('src/cart.ts', 'the final text\n');
    commit();
    expect(await check(id)).toEqual(one('changed', 'src/cart.ts'));
  });

  it('is unknown when the change of the record was reverted without a commit', async () => {
    const id = await record({ 'src/cart.ts': 'modified' }, () => write('src/cart.ts', 'a draft\n'));
    git('checkout', '-q', '--', '.');
    expect(await check(id)).toEqual(nothing('unknown'));
  });

  it('is moved when a commit moved it', async () => {
    const id = await record({ 'src/cart.ts': 'read' });
    mkdirSync(join(root, 'lib'));
    git('mv', 'src/cart.ts', 'lib/basket.ts');
    commit();
    expect(await check(id)).toEqual(one('moved', 'src/cart.ts', { movedTo: 'lib/basket.ts' }));
  });

  it('is moved when one commit moved and edited it', async () => {
    const id = await record({ 'src/cart.ts': 'read' });
    git('mv', 'src/cart.ts', 'src/basket.ts');
    write('src/basket.ts', `${textOf('src/cart.ts')}and one line more\n`);
    commit();
    expect(await check(id)).toEqual(one('moved', 'src/cart.ts', { movedTo: 'src/basket.ts' }));
  });

  it('is moved to its last path when it was moved twice, and gone when it was deleted afterwards', async () => {
    const id = await record({ 'src/cart.ts': 'read' });
    git('mv', 'src/cart.ts', 'src/basket.ts');
    commit();
    git('mv', 'src/basket.ts', 'src/order.ts');
    commit();
    expect(await check(id)).toEqual(one('moved', 'src/cart.ts', { movedTo: 'src/order.ts' }));
    git('rm', '-q', 'src/order.ts');
    commit();
    expect(await check(id)).toEqual(one('gone', 'src/cart.ts'));
  });

  it('is unknown when it was deleted in a commit in which git does not search for edited moves', async () => {
    const paths = Array.from({ length: 401 }, (_, index) => `src/m${index}/index.js`);
    for (const path of paths) write(path);
    commit();
    const id = await record({ 'src/m3/index.js': 'read' });
    for (const path of paths) {
      rmSync(join(root, path));
      write(path.replace('.js', '.ts'), `${textOf(path)}one line more\n`);
    }
    commit();
    expect(await check(id)).toEqual(nothing('unknown'));
  });

  it.each<[string, () => void]>([
    ['an attribute', () => write('.gitattributes', '*.ts text eol=crlf\n')],
    [
      'the configuration',
      () => {
        git('config', 'core.autocrlf', 'true');
        write('src/other.ts', 'other\n');
      },
    ],
  ])('is fresh when git checks it out with other line endings because of %s', async (_, convert) => {
    convert();
    commit();
    const id = await record({ 'src/cart.ts': 'modified' }, () => write('src/cart.ts', 'new\n'));
    commit();
    git('checkout', '-q', 'HEAD~1');
    git('checkout', '-q', 'main');
    expect(readFileSync(join(root, 'src/cart.ts'), 'utf8')).toBe('new\r\n');
    expect(await check(id)).toEqual(nothing('fresh'));
    const draft = await record({ 'src/cart.ts': 'modified' }, () => write('src/cart.ts', 'a draft\n'));
    git('checkout', '-q', '--', 'src/cart.ts');
    expect(await check(draft)).toEqual(nothing('unknown'));
  });

  it('is unknown when it belongs to a submodule or is a link', async () => {
    const lib = join(folder, 'lib');
    mkdirSync(lib);
    gitIn(lib, 'init', '-q', '-b', 'main');
    writeFileSync(join(lib, 'a.ts'), 'one\n');
    gitIn(lib, 'add', '-A');
    gitIn(lib, 'commit', '-q', '-m', 'Begin');
    git('submodule', 'add', '-q', lib, 'sub');
    symlinkSync('cart.ts', join(root, 'src/link.ts'));
    symlinkSync('src', join(root, 'folder'));
    commit();
    for (const path of ['sub/a.ts', 'src/link.ts', 'folder/cart.ts']) {
      const before = readFileSync(join(root, path));
      const id = await record({ [path]: 'modified' }, () => write(path, 'a draft\n'));
      writeFileSync(join(root, path), before);
      expect(await check(id)).toEqual(nothing('unknown'));
    }
  });

  it('is gone when a commit deleted it', async () => {
    const id = await record({ 'src/cart.ts': 'modified' }, () => write('src/cart.ts', 'new\n'));
    commit();
    git('rm', '-q', 'src/cart.ts');
    commit();
    expect(await check(id)).toEqual(one('gone', 'src/cart.ts'));
  });

  it('is unknown when it was deleted without a commit', async () => {
    const id = await record({ 'src/cart.ts': 'read' });
    rmSync(join(root, 'src/cart.ts'));
    expect(await check(id)).toEqual(nothing('unknown'));
  });

  it('is unknown when it was restored in a commit and deleted again without a commit', async () => {
    const id = await record({ 'src/cart.ts': 'read' });
    git('rm', '-q', 'src/cart.ts');
    commit();
    write('src/cart.ts', 'restored\n');
    commit();
    rmSync(join(root, 'src/cart.ts'));
    expect(await check(id)).toEqual(nothing('unknown'));
  });

  it('is unknown when a sparse checkout excludes it', async () => {
    const id = await record({ 'src/cart.ts': 'read' });
    git('sparse-checkout', 'set', '--no-cone', '/*', '!/src/cart.ts');
    expect(existsSync(join(root, 'src/cart.ts'))).toBe(false);
    expect(await check(id)).toEqual(nothing('unknown'));
  });

  it('is fresh when it was deleted and restored with the same content', async () => {
    const id = await record({ 'src/cart.ts': 'read' });
    git('rm', '-q', 'src/cart.ts');
    commit();
    git('revert', '--no-edit', 'HEAD');
    expect(await check(id)).toEqual(nothing('fresh'));
  });

  it('is changed when it was deleted and created again with another content', async () => {
    const id = await record({ 'src/cart.ts': 'read' });
    git('rm', '-q', 'src/cart.ts');
    commit();
    write('src/cart.ts', 'another file\n');
    commit();
    expect(await check(id)).toEqual(one('changed', 'src/cart.ts', { commits: 2 }));
  });

  it('is fresh when the record deleted it, and changed when it is committed again', async () => {
    const id = await record({ 'src/cart.ts': 'deleted' }, () => {
      git('rm', '-q', 'src/cart.ts');
      commit();
    });
    expect(await check(id)).toEqual(nothing('fresh'));
    write('src/cart.ts');
    commit();
    expect(await check(id)).toEqual(one('changed', 'src/cart.ts'));
  });

  it('is ignored when the record only read it and changed other files', async () => {
    const id = await record({ 'src/other.ts': 'modified', 'src/cart.ts': 'read' });
    write('src/cart.ts', 'new\n');
    commit();
    expect(await check(id)).toEqual(nothing('fresh'));
  });
});

describe('a record of several files', () => {
  beforeEach(() => begin('a.ts', 'b.ts', 'c.ts'));
  const read = () => record({ 'a.ts': 'read', 'b.ts': 'read', 'c.ts': 'read' });

  it('is changed when one of them was deleted', async () => {
    const id = await read();
    git('rm', '-q', 'b.ts');
    commit();
    expect(await check(id)).toMatchObject({ verdict: 'changed', fileCount: 3, staleCount: 1 });
  });

  it('is gone when all of them were deleted', async () => {
    const id = await read();
    git('rm', '-q', 'a.ts', 'b.ts', 'c.ts');
    commit();
    expect(await check(id)).toMatchObject({ verdict: 'gone', fileCount: 3, staleCount: 3 });
  });
});

describe('a checkout', () => {
  it('is judged by its own files when it is a worktree', async () => {
    begin('src/cart.ts');
    const id = await record({ 'src/cart.ts': 'read' });
    const tree = join(folder, 'tree');
    git('worktree', 'add', '-q', '-b', 'other', tree);
    writeFileSync(join(tree, 'src/cart.ts'), 'changed in the worktree\n');
    gitIn(tree, 'commit', '-q', '-a', '-m', 'Change');
    expect(await check(id)).toEqual(nothing('fresh'));
    expect(await check(id, tree)).toEqual(one('changed', 'src/cart.ts', { commits: 1 }));
  });

  it('judges only by the commits that it has when it is a shallow clone', async () => {
    begin('kept.ts', 'deleted.ts', 'changed.ts');
    const ids = [
      await record({ 'kept.ts': 'read' }),
      await record({ 'deleted.ts': 'read' }),
      await record({ 'changed.ts': 'read' }),
    ];
    git('rm', '-q', 'deleted.ts');
    commit();
    write('changed.ts', 'second\n');
    commit();
    const late = await record({ 'changed.ts': 'read' });
    write('changed.ts', 'third\n');
    commit();
    const clone = join(folder, 'clone');
    git('clone', '-q', '--depth', '2', `file://${root}`, clone);
    const found = [];
    for (const id of [...ids, late]) found.push(await check(id, clone));
    expect(found).toEqual([
      nothing('fresh'),
      nothing('unknown'),
      nothing('unknown'),
      one('changed', 'changed.ts', { commits: 1 }),
    ]);
  });

  it('is judged only by the files when it is not a repository', async () => {
    write('a.ts');
    write('b.ts');
    const ids = [await record({ 'a.ts': 'read' }), await record({ 'b.ts': 'read' })];
    expect(await check(ids[0]!)).toEqual(nothing('fresh'));
    write('a.ts', 'new\n');
    rmSync(join(root, 'b.ts'));
    expect(await check(ids[0]!)).toEqual(one('changed', 'a.ts'));
    expect(await check(ids[1]!)).toEqual(one('gone', 'b.ts'));
  });

  it('is judged only by the files before its first commit, and by its commits afterwards', async () => {
    git('init', '-q', '-b', 'main');
    write('a.ts');
    const id = await record({ 'a.ts': 'created' });
    write('a.ts', 'new\n');
    expect(await check(id)).toEqual(one('changed', 'a.ts'));
    write('a.ts');
    commit();
    expect(await check(id)).toEqual(nothing('fresh'));
    git('rm', '-q', 'a.ts');
    write('b.ts', 'b\n');
    commit();
    expect(await check(id)).toEqual(one('gone', 'a.ts'));
  });

  it('returns no verdict when its git pointer is forged', async () => {
    const other = join(folder, 'other');
    mkdirSync(other);
    gitIn(other, 'init', '-q');
    write('a.ts');
    const id = await record({ 'a.ts': 'read' });
    writeFileSync(join(root, '.git'), `gitdir: ${other}/.git\n`);
    write('a.ts', 'new\n');
    expect(await (await openCheck()).step()).toBe(false);
    expect(await storage.store.freshnessOf([id])).toEqual([]);
  });
});
