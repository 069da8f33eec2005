import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import {
  folder,
  root,
  useRepository,
  git,
  textOf,
  write,
  commit,
  begin,
  record,
  check,
  nothing,
} from './__fixtures__/use-repository.js';

useRepository();

describe('a record of another branch', () => {
  beforeEach(() => begin('src/cart.ts'));

  /** Creates the record of a commit on a new branch, and then checks out the main branch. */
  async function recordOnBranch() {
    const id = await record({ 'src/cart.ts': 'modified', 'src/new.ts': 'created' }, () => {
      git('checkout', '-q', '-b', 'voucher');
      write('src/cart.ts', textOf('voucher'));
      write('src/new.ts');
      commit('Voucher');
    });
    git('checkout', '-q', 'main');
    return id;
  }
  const both = (verdict: 'fresh' | 'unknown') =>
    expect.objectContaining({ verdict, fileCount: 2, staleCount: 0 });

  it('is unknown until its branch is checked out', async () => {
    const id = await recordOnBranch();
    expect(await check(id)).toEqual(both('unknown'));
    git('checkout', '-q', 'voucher');
    expect(await check(id)).toEqual(both('fresh'));
  });

  it('is compared with the main branch when its branch was merged as one new commit', async () => {
    const id = await recordOnBranch();
    git('merge', '-q', '--squash', 'voucher');
    commit('Voucher in one commit');
    git('branch', '-q', '-D', 'voucher');
    expect(await check(id)).toEqual(both('fresh'));
    git('rm', '-q', 'src/new.ts');
    write('src/cart.ts', 'later\n');
    commit();
    expect(await check(id)).toMatchObject({
      verdict: 'changed',
      files: [
        { path: 'src/cart.ts', verdict: 'changed', commits: 1 },
        { path: 'src/new.ts', verdict: 'gone' },
      ],
    });
  });

  it('is unknown when an earlier commit is checked out', async () => {
    write('src/cart.ts', 'second\n');
    commit();
    const id = await record({ 'src/cart.ts': 'read' });
    git('checkout', '-q', 'HEAD~1');
    expect(await check(id)).toEqual(nothing('unknown'));
  });
});

describe('the branch of a record', () => {
  beforeEach(() => begin('src/cart.ts'));

  /** Creates the record of a commit on the branch `voucher`, and then checks out the main branch. */
  async function recordOnBranch() {
    git('checkout', '-q', '-b', 'voucher');
    write('src/first.ts');
    commit('First');
    const id = await record({ 'src/cart.ts': 'modified' }, () => {
      write('src/cart.ts', textOf('voucher'));
      commit('Voucher');
    });
    git('checkout', '-q', 'main');
    return id;
  }
  const branchOf = async (id: number) => (await check(id)).branch;

  it('is open until the checkout contains its commits', async () => {
    const id = await recordOnBranch();
    expect(await branchOf(id)).toEqual({ name: 'voucher', state: 'open' });
    git('checkout', '-q', 'voucher');
    expect(await branchOf(id)).toBeNull();
  });

  it('is open when only a remote repository still has it', async () => {
    const id = await recordOnBranch();
    git('update-ref', 'refs/remotes/origin/voucher', 'voucher');
    git('branch', '-q', '-D', 'voucher');
    expect(await branchOf(id)).toEqual({ name: 'voucher', state: 'open' });
  });

  it('is abandoned when it was deleted without a merge', async () => {
    const id = await recordOnBranch();
    git('branch', '-q', '-D', 'voucher');
    expect(await branchOf(id)).toEqual({ name: 'voucher', state: 'abandoned' });
  });

  it('is not named when the checkout already has the content of the record', async () => {
    const id = await recordOnBranch();
    git('merge', '-q', '--squash', 'voucher');
    commit('Voucher in one commit');
    expect(await check(id)).toMatchObject({ verdict: 'fresh', branch: null });
  });

  it('is merged when its commits are part of what is checked out', async () => {
    const id = await recordOnBranch();
    git('merge', '-q', '--no-ff', '--no-edit', 'voucher');
    write('src/cart.ts', 'not committed\n');
    rmSync(join(root, 'src/cart.ts'));
    expect(await check(id)).toMatchObject({
      verdict: 'unknown',
      branch: { name: 'voucher', state: 'merged' },
    });
  });

  it.each<[string, () => void]>([
    ['it was merged as one commit', () => git('merge', '-q', '--squash', 'voucher')],
    [
      'its commits were copied to another base',
      () => {
        write('src/main.ts');
        commit('Main');
        git('cherry-pick', 'main..voucher');
        write('src/cart.ts', 'later\n');
      },
    ],
  ])('is not judged when %s and the file changed on the branch afterwards', async (_, merge) => {
    git('checkout', '-q', '-b', 'voucher');
    write('src/first.ts');
    commit('First');
    const id = await record({ 'src/cart.ts': 'modified' }, () => write('src/cart.ts', 'a draft\n'));
    write('src/cart.ts', 'final\n');
    commit('Voucher');
    git('checkout', '-q', 'main');
    merge();
    commit('Merge');
    expect(await branchOf(id)).toBeNull();
    git('branch', '-q', '-D', 'voucher');
    expect(await branchOf(id)).toBeNull();
    git('checkout', '-q', '-b', 'voucher');
    write('src/second.ts');
    commit('Other work');
    git('checkout', '-q', 'main');
    expect(await branchOf(id)).toBeNull();
  });

  it('is not judged when it was renamed', async () => {
    const id = await recordOnBranch();
    git('branch', '-m', 'voucher', 'coupon');
    expect(await branchOf(id)).toBeNull();
  });

  it('is not judged when it only deleted files', async () => {
    write('src/old.ts');
    commit('Old');
    git('checkout', '-q', '-b', 'voucher');
    git('rm', '-q', 'src/old.ts');
    commit('Delete');
    const id = await record({ 'src/cart.ts': 'modified' }, () => write('src/cart.ts', 'a draft\n'));
    git('checkout', '-q', '--', 'src/cart.ts');
    git('checkout', '-q', 'main');
    git('merge', '-q', '--squash', 'voucher');
    commit('Merge');
    expect(await branchOf(id)).toBeNull();
    git('branch', '-q', '-D', 'voucher');
    expect(await branchOf(id)).toBeNull();
  });

  it('is not judged when its name is used again and its commits are in no branch', async () => {
    const id = await recordOnBranch();
    git('branch', '-q', '-D', 'voucher');
    git('checkout', '-q', '-b', 'voucher');
    write('src/second.ts');
    commit('Other work');
    git('checkout', '-q', 'main');
    expect(await branchOf(id)).toBeNull();
  });

  it('is not judged when it was merged into another branch that exists', async () => {
    git('branch', 'release');
    const id = await recordOnBranch();
    git('checkout', '-q', 'release');
    git('merge', '-q', '--no-ff', '--no-edit', 'voucher');
    git('branch', '-q', '-D', 'voucher');
    git('checkout', '-q', 'main');
    expect(await branchOf(id)).toBeNull();
  });

  it('is not judged when one of its earlier commits is checked out without a branch', async () => {
    const id = await recordOnBranch();
    git('checkout', '-q', '--detach', 'voucher~1');
    expect(await branchOf(id)).toBeNull();
  });

  it('is not judged when it is the main branch from which other branches begin', async () => {
    write('src/cart.ts', 'second\n');
    const id = await record({ 'src/cart.ts': 'modified' }, () => {
      write('src/cart.ts', 'third\n');
      commit();
    });
    git('checkout', '-q', '-b', 'voucher', 'HEAD~1');
    expect(await check(id)).toMatchObject({ verdict: 'unknown', branch: null });
  });

  it('is not judged in a shallow clone, which cannot know what was merged', async () => {
    const id = await recordOnBranch();
    const clone = join(folder, 'clone');
    git('clone', '-q', '--depth', '1', '--no-single-branch', `file://${root}`, clone);
    expect((await check(id, clone)).branch).toBeNull();
  });
});
