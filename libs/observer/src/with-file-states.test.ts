import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ObservationDraft } from '@claude-mem/core';
import { createObserverBatch, type ObserverBatchFields } from '@claude-mem/core/testing';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { withFileStates } from './with-file-states.js';

let root: string;
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'cm-states-')));
  mkdirSync(join(root, 'src'));
});
afterEach(() => rmSync(root, { recursive: true }));

const write = (path: string) => writeFileSync(join(root, path), `Text of ${path}\n`);
const blobOf = (path: string) =>
  execFileSync('git', ['hash-object', '--no-filters', join(root, path)], { encoding: 'utf8' }).trim();

const draft = (more: Partial<ObservationDraft>): ObservationDraft => ({
  ...{ type: 'change', title: 'Change', subtitle: null, narrative: null, facts: [], concepts: [] },
  ...{ filesRead: [], filesModified: [] },
  ...more,
});

async function statesOf(drafts: readonly ObservationDraft[], fields: ObserverBatchFields = {}) {
  const uses = fields.toolUses?.map((use) => ({ cwd: root, ...use })) ?? [];
  const batch = createObserverBatch({ session: { projectRoot: root }, ...fields, toolUses: uses });
  const found = await withFileStates(batch, drafts, { signal: AbortSignal.timeout(60_000) });
  return found.map(({ fileStates }) => fileStates);
}

it('stores what the turn did with each file, and the blob that git gives its content', async () => {
  for (const path of ['src/cart.ts', 'src/new.ts', 'src/basket.ts', 'src/read.ts']) write(path);
  const [states] = await statesOf(
    [
      draft({
        filesModified: ['src/cart.ts', 'src/new.ts', 'src/basket.ts', 'src/order.ts', 'src/old.ts'],
        filesRead: ['src/read.ts', 'src/cart.ts'],
      }),
    ],
    {
      toolUses: [
        { toolName: 'Read', input: { file_path: `${root}/src/read.ts` } },
        { toolName: 'Edit', input: { file_path: `${root}/src/cart.ts`, old_string: 'a', new_string: 'b' } },
        {
          toolName: 'Write',
          input: { file_path: `${root}/src/new.ts`, content: 'new' },
          response: { type: 'create', filePath: `${root}/src/new.ts` },
        },
        { toolName: 'Bash', input: { command: 'git mv src/order.ts src/basket.ts && rm src/old.ts' } },
      ],
    },
  );
  expect(states).toEqual([
    { path: 'src/cart.ts', role: 'modified', blob: blobOf('src/cart.ts') },
    { path: 'src/new.ts', role: 'created', blob: blobOf('src/new.ts') },
    { path: 'src/basket.ts', role: 'modified', blob: blobOf('src/basket.ts') },
    { path: 'src/order.ts', role: 'moved-from', blob: null },
    { path: 'src/old.ts', role: 'deleted', blob: null },
    { path: 'src/read.ts', role: 'read', blob: blobOf('src/read.ts') },
  ]);
});

it('stores no blob of a file that is missing, too large or outside of the project', async () => {
  writeFileSync(join(root, 'large.bin'), Buffer.alloc(2 * 1024 * 1024 + 1));
  const paths = ['missing.ts', 'large.bin', 'src', '/etc/hostname', '~/notes.md', '../up.ts'];
  const [states] = await statesOf([draft({ filesRead: paths })]);
  expect(states).toEqual(paths.map((path) => ({ path, role: 'read', blob: null })));
});

it('stores nothing when the project has no folder', async () => {
  write('src/cart.ts');
  const session = { projectRoot: null };
  expect(await statesOf([draft({ filesRead: ['src/cart.ts'] })], { session })).toEqual([[]]);
});

it('stores at most 200 files of all records of a batch', async () => {
  const paths = Array.from({ length: 150 }, (_, index) => `file-${index}.ts`);
  const drafts = [draft({ filesRead: paths }), draft({ filesRead: paths.map((path) => `other-${path}`) })];
  expect((await statesOf(drafts)).map((states) => states.length)).toEqual([150, 50]);
});
