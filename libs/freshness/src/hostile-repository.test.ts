import { existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readFileContent } from './read-file-content.js';
import {
  folder,
  root,
  useRepository,
  git,
  write,
  commit,
  begin,
  record,
  check,
  one,
  nothing,
} from './__fixtures__/use-repository.js';

useRepository();

describe('S05: a hostile repository', () => {
  it.each([
    'a space and "quotes".ts',
    "it's.ts",
    'ü-日本.ts',
    ':(glob)*.ts',
    '-x.ts',
    '*.ts',
    'line\nbreak.ts',
    ':100644 100644 aaaa bbbb D',
    'a'.repeat(40),
  ])('is judged correctly when a file is named %j', async (name) => {
    begin(name, 'other.ts');
    const id = await record({ [name]: 'read' });
    expect(await check(id)).toEqual(nothing('fresh'));
    write(name, 'new\n');
    commit();
    expect(await check(id)).toEqual(one('changed', name, { commits: 1 }));
    rmSync(join(root, name));
    commit();
    expect(await check(id)).toEqual(one('gone', name));
    git('revert', '--no-edit', 'HEAD');
    git('mv', '--', name, 'plain.ts');
    commit();
    expect(await check(id)).toEqual(one('moved', name, { movedTo: 'plain.ts' }));
  });

  it('returns unknown for files outside of the project or behind a link', async () => {
    begin('a.ts');
    const outside = join(folder, 'outside');
    mkdirSync(outside);
    writeFileSync(join(outside, 'secret'), 'first\n');
    symlinkSync(outside, join(root, 'link'));
    symlinkSync(join(outside, 'secret'), join(root, 'file'));
    const paths = ['link/secret', 'file', '../../../outside/secret', join(outside, 'secret'), 'link/missing'];
    for (const path of paths) {
      expect(await readFileContent(root, path)).toEqual({ kind: 'unknown' });
      const id = await record({ [path]: 'read' });
      expect(await check(id)).toEqual(nothing('unknown'));
    }
  });

  it('stores no secret when a file name is a secret', async () => {
    begin('a.ts');
    const id = await record({ 'a.ts': 'read' });
    const secret = `ghp_${'a1B2'.repeat(9)}`;
    git('mv', 'a.ts', secret);
    commit();
    const found = await check(id);
    expect(found.verdict).toBe('moved');
    expect(JSON.stringify(found)).not.toContain(secret);
  });

  it('runs no program from its configuration or hooks', async () => {
    begin('a.ts', 'b.ts');
    const mark = join(folder, 'mark');
    const program = join(folder, 'program');
    writeFileSync(program, `#!/bin/sh\ntouch ${mark}\ncat\n`, { mode: 0o755 });
    write('.gitattributes', '* filter=evil diff=evil\n');
    const ids = [await record({ 'a.ts': 'read' }), await record({ 'b.ts': 'read' })];
    write('a.ts', 'new\n');
    git('mv', 'b.ts', 'c.ts');
    commit();
    for (const key of [
      ...['filter.evil.clean', 'filter.evil.smudge', 'filter.evil.process', 'diff.evil.textconv'],
      ...['diff.evil.command', 'diff.external', 'core.fsmonitor', 'core.pager', 'core.editor', 'gpg.program'],
    ])
      git('config', key, program);
    git('config', 'log.showSignature', 'true');
    for (const hook of ['post-index-change', 'reference-transaction', 'post-checkout'])
      writeFileSync(join(root, '.git/hooks', hook), `#!/bin/sh\ntouch ${mark}\n`, { mode: 0o755 });
    expect((await check(ids[0]!)).verdict).toBe('changed');
    expect((await check(ids[1]!)).verdict).toBe('moved');
    expect(existsSync(mark)).toBe(false);
  });
});
