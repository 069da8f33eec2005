import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openContextWorker, recordsIn } from '../testing/open-context-worker.js';
import { until } from '../testing/start-test-worker.js';

interface Stale {
  project: string;
  item: { id: number; freshness: { verdict: string; files: { path: string; movedTo: string | null }[] } };
}

let context: Awaited<ReturnType<typeof openContextWorker>>;
const git = (...args: string[]) =>
  execFileSync('git', ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.org', ...args], {
    cwd: context.project,
    stdio: 'pipe',
  });
function write(path: string, text: string) {
  mkdirSync(dirname(join(context.project, path)), { recursive: true });
  writeFileSync(join(context.project, path), text);
}
const listStale = async () =>
  ((await context.worker.ask({ path: '/api/stale' })).json as { items: Stale[] }).items;
const ask = async <Reply>(path: string) => (await context.worker.ask({ path })).json as Reply;

const WORK = {
  'src/tariff.ts': 'Tariffs are rounded after the currency is known.',
  'src/ledger.ts': 'The ledger keeps shipping costs apart from discounts.',
  'src/pages.ts': 'Catalogue pages load their images lazily.',
  'src/kept.ts': 'Invoices are numbered without gaps.',
};

/** Four turns that edit a file each. Then one file is deleted, one is moved, and one is changed. */
beforeAll(async () => {
  context = await openContextWorker();
  git('init', '-q', '-b', 'main');
  for (const path of Object.keys(WORK)) write(path, `${path}\n`.repeat(20));
  git('add', '-A');
  git('commit', '-q', '-m', 'Begin');
  for (const [path, closing] of Object.entries(WORK)) await context.work(path, closing, path);
  git('rm', '-q', 'src/tariff.ts');
  git('mv', 'src/ledger.ts', 'src/journal.ts');
  write('src/pages.ts', 'rewritten\n');
  git('commit', '-q', '-a', '-m', 'Change');
  await context.start('looks', 'startup');
  await until(async () => (await listStale()).length === 3);
}, 90_000);
afterAll(() => context[Symbol.asyncDispose]());

describe('a record whose files have changed', () => {
  it('is listed with its verdict', async () => {
    const verdicts = (await listStale()).map(({ project, item: { freshness } }) => [
      project,
      freshness.verdict,
      freshness.files[0]?.path,
      freshness.files[0]?.movedTo,
    ]);
    expect(verdicts).toEqual([
      ['demo', 'changed', 'src/pages.ts', null],
      ['demo', 'moved', 'src/ledger.ts', 'src/journal.ts'],
      ['demo', 'gone', 'src/tariff.ts', null],
    ]);
    expect(await ask('/api/stale?project=demo&limit=1')).toMatchObject({ items: [{ project: 'demo' }] });
    expect((await context.worker.ask({ path: '/api/stale?project=other' })).status).toBe(404);
  });

  it('shows a label at the start of a session, and is skipped when its file was deleted', async () => {
    const lines = recordsIn(await context.start('next', 'startup')).join('\n');
    expect(lines).toMatch(/file changed since \|[^\n]*(?:Catalogue|pages)/);
    expect(lines).toMatch(/file moved to `src\/journal\.ts` \|/);
    expect(lines).toMatch(/Invoices|kept\.ts/);
    expect(lines).not.toMatch(/Tariffs|tariff\.ts/);
    const { skipped } = await context.preview({});
    expect(skipped).toContainEqual(expect.objectContaining({ reason: 'its files were deleted' }));
  });

  it('is injected with a prompt only when the prompt names the deleted file', async () => {
    const textFor = async (prompt: string) => (await context.preview({ prompt })).text;
    expect(await textFor('Are tariffs rounded before the currency is known?')).not.toContain('file deleted');
    expect(await textFor('Were tariffs in tariff.ts rounded before the currency is known?')).toMatch(
      /file deleted \|/,
    );
  });

  it('is marked in search, in lists and in the timeline', async () => {
    const { items } = await ask<{ items: Stale[] }>('/api/search?query=tariffs%20currency');
    const { id } = items[0]!.item;
    expect(items[0]!.item.freshness.verdict).toBe('gone');
    expect(await ask(`/api/observations/${id}`)).toMatchObject({ freshness: { verdict: 'gone' } });
    for (const path of [
      `/api/observations?ids=${id}`,
      `/api/timeline?anchor=${id}&before=0&after=0`,
      '/api/feed',
    ])
      expect(JSON.stringify(await ask(path))).toContain('"verdict":"gone"');
  });
});

it('shows no verdict when another commit is checked out', async () => {
  git('checkout', '-q', 'HEAD~1');
  expect(await listStale()).toEqual([]);
  expect(await context.start('older', 'startup')).not.toMatch(/file (?:changed|moved|deleted)/);
  git('checkout', '-q', 'main');
  expect(await listStale()).toHaveLength(3);
});

it('skips records of another unmerged branch at the session start', async () => {
  git('checkout', '-q', '-b', 'ada/vouchers');
  write('src/expiry.ts', 'midnight\n');
  await context.work('expiry', 'Coupons expire at midnight of the local day.', 'src/expiry.ts');
  git('add', '-A');
  git('commit', '-q', '-m', 'Expiry');
  expect(recordsIn(await context.start('same', 'startup')).join('\n')).toMatch(/Coupons/);
  git('checkout', '-q', 'main');
  await context.start('wakes', 'startup');
  const reason = 'it is of another branch that is not merged';
  await until(async () => (await context.preview({})).skipped.some((one) => one.reason === reason));
  const text = await context.start('other', 'startup');
  expect(recordsIn(text)).not.toHaveLength(0);
  expect(text).not.toMatch(/Coupons|expiry\.ts/);
}, 60_000);
