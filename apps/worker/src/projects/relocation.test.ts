import { execFileSync } from 'node:child_process';
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { loadDriver } from '@claude-mem/storage/driver';
import { describe, expect, it } from 'vitest';
import {
  createTestHome,
  startTestWorker,
  until,
  type TestHome,
  type TestWorker,
} from '../testing/start-test-worker.js';

const git = (cwd: string, ...args: string[]) =>
  execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@t', ...args], { cwd, stdio: 'pipe' });

function repository(
  folder: string,
  { remote, message = folder }: { remote?: string; message?: string } = {},
) {
  mkdirSync(folder, { recursive: true });
  git(folder, 'init', '-q');
  git(folder, 'commit', '-q', '--allow-empty', '-m', message);
  if (remote !== undefined) git(folder, 'remote', 'add', 'origin', remote);
  return folder;
}

const start = async (worker: TestWorker, cwd: string, session_id: string = cwd) =>
  (await worker.hook('SessionStart', { session_id, cwd, source: 'startup' })).json as {
    systemMessage?: string;
    hookSpecificOutput: { additionalContext: string };
  };

const remember = (worker: TestWorker, text: string, cwd: string) =>
  worker.ask({ method: 'POST', path: '/api/memory', body: { text, cwd } });

const preview = async (worker: TestWorker, cwd: string) =>
  (await worker.ask({ path: `/api/context?${new URLSearchParams({ cwd })}` })).json as {
    text: string;
    reason: string | null;
  };

const projects = async (worker: TestWorker) =>
  (
    (await worker.ask({ path: '/api/projects' })).json as {
      items: { id: number; key: string; name: string; observations: number }[];
    }
  ).items.map(({ key, name, observations }) => [key, name, observations]);

/** Hash of the remote that is recorded for the project of a folder; undefined when nothing is recorded. */
function recordedRemote(home: TestHome, folder: string): string | null | undefined {
  const database = loadDriver().open(home.paths.database, { readonly: true });
  try {
    const row = database
      .prepare(
        `SELECT r.remote_hash AS remoteHash FROM project_repositories r JOIN projects p ON p.id = r.project_id
        WHERE p.key = ?`,
      )
      .get(folder) as { remoteHash: string | null } | undefined;
    return row?.remoteHash;
  } finally {
    database.close();
  }
}

const untilRecorded = (home: TestHome, folder: string) =>
  until(async () => recordedRemote(home, folder) !== undefined);

/** A worker that knows the repository of a project with one record. */
async function workIn(folder: string, home: TestHome) {
  const first = await startTestWorker({ home });
  await start(first, folder);
  expect((await remember(first, 'Deploys go out on Monday', folder)).status).toBe(200);
  await untilRecorded(home, folder);
  await first.stop();
}

describe('R03: a project whose folder was moved', { timeout: 60_000 }, () => {
  it.each([
    ['https://token:secret@Git.example.com/team/shop.git', 'git@git.example.com:team/shop'],
    [undefined, undefined],
  ])('is found again by its repository with the remote %s', async (remote, spelledLater) => {
    using home = createTestHome();
    const shop = repository(join(home.home, 'w', 'shop'), { ...(remote !== undefined && { remote }) });
    await workIn(shop, home);
    const moved = join(home.home, 'w', 'store');
    renameSync(shop, moved);
    if (spelledLater !== undefined) git(moved, 'remote', 'set-url', 'origin', spelledLater);
    await using worker = await startTestWorker({ home });
    const started = await start(worker, moved);
    expect(started.hookSpecificOutput.additionalContext).toContain('Deploys go out on Monday');
    expect(started.systemMessage).toContain(`The folder ${shop} is gone`);
    expect((await start(worker, moved, 'later')).systemMessage).not.toContain('is gone');
    expect(await projects(worker)).toEqual([[moved, 'store', 1]]);

    expect(started.systemMessage).toContain(`Undo: claude-mem project move --force ${moved} ${shop}`);
    const body = { from: moved, to: shop, force: true };
    expect((await worker.ask({ method: 'POST', path: '/api/projects/move', body })).status).toBe(200);
    expect(await projects(worker)).toEqual([[shop, 'shop', 1]]);
    expect((await start(worker, moved)).hookSpecificOutput?.additionalContext ?? '').not.toContain('Monday');
  });

  it('is found again after two moves when only the context is previewed', async () => {
    using home = createTestHome();
    const shop = repository(join(home.home, 'shop'), { remote: 'https://example.com/shop' });
    await workIn(shop, home);
    const second = join(home.home, 'second');
    renameSync(shop, second);
    const worker = await startTestWorker({ home });
    expect((await preview(worker, second)).text).toContain('Monday');
    await worker.stop();
    renameSync(second, shop);
    await using later = await startTestWorker({ home });
    expect((await preview(later, shop)).text).toContain('Monday');
    expect(await projects(later)).toEqual([[shop, 'shop', 1]]);
  });

  it('is found again when a record is saved in the new folder before the first session', async () => {
    using home = createTestHome();
    const shop = repository(join(home.home, 'shop'), { remote: 'https://example.com/shop' });
    await workIn(shop, home);
    const moved = join(home.home, 'moved');
    renameSync(shop, moved);
    await using worker = await startTestWorker({ home });
    await remember(worker, 'Reviews are on Tuesday', moved);
    expect(await projects(worker)).toEqual([[moved, 'moved', 2]]);
  });

  it('is found again when its remote changed before the move', async () => {
    using home = createTestHome();
    const shop = repository(join(home.home, 'shop'), { remote: 'https://example.com/shop' });
    await workIn(shop, home);
    const before = recordedRemote(home, shop);
    git(shop, 'remote', 'set-url', 'origin', 'https://example.com/renamed');
    const worker = await startTestWorker({ home });
    await start(worker, shop);
    await until(async () => recordedRemote(home, shop) !== before);
    await worker.stop();
    const moved = join(home.home, 'moved');
    renameSync(shop, moved);
    await using later = await startTestWorker({ home });
    expect((await preview(later, moved)).text).toContain('Monday');
  });

  it('is found again when it was moved with the command and then moved back', async () => {
    using home = createTestHome();
    const shop = repository(join(home.home, 'shop'), { remote: 'https://example.com/shop' });
    await workIn(shop, home);
    await using worker = await startTestWorker({ home });
    await start(worker, shop);
    const store = join(home.home, 'store');
    renameSync(shop, store);
    const body = { from: shop, to: store };
    expect((await worker.ask({ method: 'POST', path: '/api/projects/move', body })).status).toBe(200);
    await start(worker, store);
    await untilRecorded(home, store);
    renameSync(store, shop);
    expect((await preview(worker, shop)).text).toContain('Monday');
  });

  it('does not share its records with a second clone while both folders exist', async () => {
    using home = createTestHome();
    const shop = repository(join(home.home, 'shop'), { remote: 'https://example.com/shop' });
    await workIn(shop, home);
    const clone = join(home.home, 'clone');
    git(home.home, 'clone', '-q', shop, clone);
    git(clone, 'remote', 'set-url', 'origin', 'https://example.com/shop');
    await using worker = await startTestWorker({ home });
    expect((await start(worker, clone)).hookSpecificOutput.additionalContext).not.toContain('Monday');
    expect(await projects(worker)).toEqual([
      [clone, 'clone', 0],
      [shop, 'shop', 1],
    ]);
  });

  it.each<[string, { remote: string; message?: string }]>([
    ['another history', { remote: 'https://example.com/shop', message: 'other' }],
    ['another remote', { remote: 'https://example.com/other' }],
  ])('is not found again when the new repository has %s', async (_, other) => {
    using home = createTestHome();
    const shop = repository(join(home.home, 'a', 'shop'), { remote: 'https://example.com/shop' });
    await workIn(shop, home);
    const copy = join(home.home, 'b', 'shop');
    if (other.message === undefined) {
      mkdirSync(dirname(copy));
      renameSync(shop, copy);
      git(copy, 'remote', 'set-url', 'origin', other.remote);
    } else {
      rmSync(shop, { recursive: true });
      repository(copy, other);
    }
    await using worker = await startTestWorker({ home });
    const started = await start(worker, copy);
    expect(started.hookSpecificOutput.additionalContext).not.toContain('Monday');
    expect(started.systemMessage).toContain(`claude-mem project move ${shop} ${copy}`);
  });

  it('S05: is not identified with a clone when its folder had a forged pointer to the repository', async () => {
    using home = createTestHome();
    const shop = repository(join(home.home, 'shop'), { remote: 'https://example.com/shop' });
    const evil = join(home.home, 'evil');
    mkdirSync(evil);
    writeFileSync(join(evil, '.git'), 'gitdir: ../shop/.git\n');
    const worker = await startTestWorker({ home });
    await start(worker, evil);
    await remember(worker, 'Deploys go out on Monday', evil);
    await worker.stop();
    rmSync(evil, { recursive: true });
    const clone = join(home.home, 'clone');
    git(home.home, 'clone', '-q', shop, clone);
    git(clone, 'remote', 'set-url', 'origin', 'https://example.com/shop');
    await using later = await startTestWorker({ home });
    expect((await start(later, clone)).hookSpecificOutput.additionalContext).not.toContain('Monday');
    expect((await projects(later)).map(([key]) => key)).toContain(evil);
  });

  it('is not found again when two projects have the same repository', async () => {
    using home = createTestHome();
    const shop = repository(join(home.home, 'shop'), { remote: 'https://example.com/shop' });
    const clone = join(home.home, 'clone');
    git(home.home, 'clone', '-q', shop, clone);
    git(clone, 'remote', 'set-url', 'origin', 'https://example.com/shop');
    await workIn(shop, home);
    await workIn(clone, home);
    const moved = join(home.home, 'moved');
    renameSync(shop, moved);
    rmSync(clone, { recursive: true });
    await using worker = await startTestWorker({ home });
    expect((await start(worker, moved)).hookSpecificOutput.additionalContext).not.toContain('Monday');
  });

  it('is reported with the command to move it when there is no repository to compare', async () => {
    using home = createTestHome();
    const shop = join(home.home, 'w', 'shop');
    mkdirSync(shop, { recursive: true });
    await using worker = await startTestWorker({ home });
    await remember(worker, 'Deploys go out on Monday', shop);
    const moved = join(home.home, 'w', 'store');
    renameSync(shop, moved);
    const command = `claude-mem project move ${shop} ${moved}`;
    expect((await start(worker, moved)).systemMessage).toContain(command);
    expect((await preview(worker, moved)).reason).toContain(command);
    expect((await start(worker, moved)).systemMessage).toBeUndefined();
  });
});
