import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createRepositoryReader } from './read-repository.js';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'cm-repository-'));
  mkdirSync(join(root, '.git'));
});
afterEach(() => rmSync(root, { recursive: true }));

const hashFor = (url: string) =>
  createRepositoryReader(async () => ({ exitCode: 0, stdout: `remote.origin.url ${url}\n` })).remoteHash(
    root,
    AbortSignal.timeout(60_000),
  );

it('reads an address that ends with slashes as the one without them', async () => {
  expect(await hashFor('https://example.com/team/shop.git///')).toBe(
    await hashFor('git@example.com:team/shop'),
  );
});

it('S05: ignores an address of more than two kilobytes', async () => {
  expect(await hashFor(`https://x/${'/'.repeat(150_000)}x`)).toBeNull();
});
