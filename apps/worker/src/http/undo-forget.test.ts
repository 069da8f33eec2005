import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ErrorReply, UndoForgetReply } from '@claude-mem/worker-protocol';
import { createFixedClock, type FixedClock } from '@claude-mem/core/testing';
import { openStorage } from '@claude-mem/storage';
import { bySize } from '@claude-mem/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createMemoryRequests, filesWith } from '../testing/memory-requests.js';
import { playTurn } from '../testing/play-turn.js';
import {
  createTestHome,
  startTestWorker,
  until,
  type TestHome,
  type TestWorker,
} from '../testing/start-test-worker.js';

const SETTINGS = { CLAUDE_MEM_EMBEDDER: 'none', CLAUDE_MEM_CLAUDE_MD: true };
let home: TestHome;
let worker: TestWorker;
beforeEach(async () => {
  home = createTestHome();
  worker = await startTestWorker({ home, settings: SETTINGS });
});
afterEach(async () => {
  await worker.stop();
  home[Symbol.dispose]();
});

const { send, idOf: remember, forget: forgetWith } = createMemoryRequests(() => worker);
const forget = (body: object) => forgetWith({ undoSeconds: 600, ...body });
const undo = (id: number | undefined) => send<UndoForgetReply>(`/api/memory/forget/${id}/undo`, {});
const open = async () => (await worker.ask({ path: '/api/memory/forgotten' })).json as { items: unknown[] };
const textOf = async (path: string) => (await worker.ask({ path })).text;

/** Restarts the worker with a fixed clock. */
async function restart(): Promise<FixedClock> {
  const clock = createFixedClock(Date.now());
  await worker.stop();
  worker = await startTestWorker({ home, settings: SETTINGS, clock });
  return clock;
}

/** All texts that the worker returns. */
const shown = async () => {
  const paths = [
    '/api/observations',
    '/api/prompts',
    '/api/summaries',
    '/api/sessions',
    '/api/search?query=quetzalcoatl',
    '/api/search?query=quetzalcoatl&kind=all',
    '/api/timeline?query=quetzalcoatl',
    '/api/feed',
    '/api/export',
    '/api/queue',
    `/api/context?cwd=${encodeURIComponent(home.project)}`,
    `/api/context?cwd=${encodeURIComponent(home.project)}&prompt=quetzalcoatl`,
  ];
  const texts = await Promise.all(paths.map(textOf));
  // Scores decrease with time.
  return texts.join('\n').replace(/"score":[\d.]+/g, '"score":0');
};

/** Whether a file of the data folder contains the text. */
const isStored = (text: RegExp) => filesWith(home.paths.dataDir, text).length > 0;

describe('undoing a deletion over HTTP', { timeout: 60_000 }, () => {
  it('hides a deleted record everywhere, and shows it again after the undo', async () => {
    const id = await remember('The quetzalcoatl lands on Fridays');
    const before = await shown();
    expect(before).toContain('quetzalcoatl');
    const { status, json } = await forget({ ids: [id] });
    expect(status).toBe(200);
    expect(json).toMatchObject({ observations: 1, isErased: false, undo: { forgetId: 1 } });
    expect(json.notes).toContain('It is overwritten in the file once it cannot be undone any more.');
    expect(json.undo!.finalAtEpoch - Date.now()).toBeGreaterThan(590_000);
    expect(await shown()).not.toContain('quetzalcoatl');
    expect((await open()).items).toMatchObject([
      { forgetId: 1, observations: 1, titles: [{ id, title: 'The quetzalcoatl lands on Fridays' }] },
    ]);
    expect((await undo(json.undo?.forgetId)).json).toEqual({
      restored: { observations: 1, summaries: 0, prompts: 0, sessions: 0, messages: 0 },
      notes: [],
    });
    expect(await shown()).toEqual(before);
    expect((await open()).items).toEqual([]);
  });

  it('restores a session and the records of its observer', async () => {
    await playTurn(worker, 's-1');
    await worker.drained();
    const path = `/api/feed?session=s-1`;
    const before = await textOf(path);
    const { json } = await forget({ session: 's-1', confirm: true });
    expect(json).toMatchObject({ sessions: 1 });
    expect(json.prompts).toBeGreaterThan(0);
    expect((await undo(json.undo?.forgetId)).json.restored).toMatchObject({
      sessions: 1,
      prompts: json.prompts,
    });
    expect(await textOf(path)).toEqual(before);
  });

  it('restores the text in the context file of the project', async () => {
    execFileSync('git', ['init', '-q'], { cwd: home.project });
    const file = () => {
      const path = join(home.project, 'CLAUDE.md');
      return existsSync(path) ? readFileSync(path, 'utf8') : '';
    };
    const id = await remember('The quetzalcoatl lands on Fridays');
    await remember('Something that stays');
    await until(() => file().includes('quetzalcoatl'));
    const { json } = await forget({ ids: [id] });
    await until(() => !file().includes('quetzalcoatl'));
    await undo(json.undo?.forgetId);
    await until(() => file().includes('quetzalcoatl'));
  });

  it('sends stream-reset when a deletion is undone', async () => {
    const id = await remember('The quetzalcoatl lands on Fridays');
    const { json } = await forget({ ids: [id] });
    const controller = new AbortController();
    const port = await worker.port();
    const token = readFileSync(home.paths.tokenFile, 'utf8').trim();
    const response = await fetch(`http://127.0.0.1:${port}/stream`, {
      headers: { 'x-claude-mem-token': token },
      signal: controller.signal,
    });
    const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
    await undo(json.undo?.forgetId);
    let text = '';
    while (!text.includes('event: stream-reset')) text += (await reader.read()).value ?? '';
    controller.abort();
  });

  it('refuses the undo when the deletion is final or already undone, and rejects an invalid undo period', async () => {
    const id = await remember('One');
    const { json } = await forget({ ids: [id] });
    await undo(json.undo?.forgetId);
    const again = await send<ErrorReply>(`/api/memory/forget/${json.undo?.forgetId}/undo`, {});
    expect(again).toMatchObject({
      status: 404,
      json: {
        error: {
          message: `Deletion ${json.undo?.forgetId} cannot be undone: the number is unknown, the undo period has ended, or it was undone before.`,
        },
      },
    });
    expect((await forget({ ids: [id], backups: true })).status).toBe(400);
    expect((await forget({ ids: [id], undoSeconds: 86_401 })).status).toBe(400);
    expect((await forget({ ids: [id], undoSeconds: 0 })).json).toMatchObject({ undo: null, isErased: true });
    expect((await forget({ ids: [id], dryRun: true })).json.undo).toBeNull();
  });

  it('reports that nothing is left when a selection is already deleted, and adds no undo', async () => {
    const id = await remember('The quetzalcoatl lands');
    await playTurn(worker, 's-1');
    await worker.drained();
    const first = await forget({ project: 'demo', confirm: true });
    expect(first.json.sessions).toBeGreaterThan(0);
    for (const selection of [{ project: 'demo' }, { session: 's-1' }, { ids: [id] }]) {
      expect((await forget({ ...selection, dryRun: true })).json).toMatchObject({ sessions: 0, undo: null });
      const again = await forget({ ...selection, confirm: true });
      expect(again).toMatchObject({
        status: 200,
        json: { observations: 0, summaries: 0, prompts: 0, sessions: 0, undo: null, isErased: false },
      });
      expect(again.json.notes[0]).toBe('There was nothing left to forget.');
    }
    expect((await open()).items).toHaveLength(1);
    await undo(first.json.undo?.forgetId);
    expect(await shown()).toContain('quetzalcoatl');
  });

  it('reports that a new backup contains deletions that can be undone', async () => {
    const [one, two] = [await remember('One'), await remember('Two')];
    await forget({ ids: [one] });
    const { json } = await forget({ ids: [two], undoSeconds: 0, backups: true });
    expect(json.notes).toContain(
      'The new backup holds what can still be undone: once that is final, do it again.',
    );
  });

  it('rejects the undo and leaves no byte of the record in the data folder when the undo period is over', async () => {
    const clock = await restart();
    const id = await remember('The quetzalcoatl lands');
    const { json } = await forget({ ids: [id], undoSeconds: 20 });
    expect(isStored(/quetzalcoatl/i)).toBe(true);
    await clock.advance(21_000);
    await until(() => !isStored(/quetzal/i));
    expect((await undo(json.undo?.forgetId)).status).toBe(404);
    expect((await open()).items).toEqual([]);
  });

  it('makes a deletion final when its undo period ends during a restart, and can still undo the others', async () => {
    const clock = await restart();
    const [one, two] = [await remember('The quetzalcoatl lands'), await remember('The ornithopter flies')];
    const first = await forget({ ids: [one] });
    await forget({ ids: [two], undoSeconds: 20 });
    await worker.stop();
    await clock.advance(21_000);
    worker = await startTestWorker({ home, settings: SETTINGS, clock });
    await until(() => !isStored(/ornithopter/i));
    expect((await open()).items).toHaveLength(1);
    expect((await undo(first.json.undo?.forgetId)).status).toBe(200);
    expect(await shown()).toContain('quetzalcoatl');
  });

  /** Imports as many records as the worker deletes and restores in several parts. */
  const importMuch = (count: number) => {
    const lines = Array.from({ length: count }, (_, number) =>
      JSON.stringify({
        uid: `record-${number}`,
        project: '/shop',
        session: 'long',
        createdAtEpoch: Date.UTC(2026, 0, 3),
        type: 'change',
        title: `Change ${number}`,
      }),
    );
    return worker.ask({
      method: 'POST',
      path: '/api/import',
      body: lines.join('\n'),
      headers: { 'content-type': 'application/x-ndjson' },
    });
  };
  const observations = async () =>
    ((await worker.ask({ path: '/api/stats' })).json as { observations: number }).observations;

  it('waits for a running deletion, and restores all its records', async () => {
    const count = bySize({ quick: 1_300, full: 4_000 });
    await importMuch(count);
    const forgetting = forget({ project: '/shop', confirm: true });
    await until(async () => (await open()).items.length > 0);
    const { forgetId } = (await open()).items[0] as { forgetId: number };
    expect((await undo(forgetId)).json.restored).toMatchObject({ observations: count, sessions: 1 });
    expect((await forgetting).json).toMatchObject({ observations: count, undo: { forgetId } });
    expect((await open()).items).toEqual([]);
    expect(await observations()).toBe(count);
  });

  it('restores the other records after a restart when the undo was interrupted', async () => {
    await importMuch(1_300);
    const { json } = await forget({ project: '/shop', confirm: true });
    await worker.stop();
    const storage = await openStorage({ file: home.paths.database, backupsDir: home.paths.backupsDir });
    expect(await storage.store.undoForget(json.undo!.forgetId, Date.now())).toMatchObject({
      isComplete: false,
    });
    await storage.close();
    worker = await startTestWorker({ home, settings: SETTINGS });
    await until(async () => (await observations()) === 1_300);
    await until(
      async () => ((await worker.ask({ path: '/api/health' })).json as { isErased: boolean }).isErased,
    );
    expect((await undo(json.undo?.forgetId)).status).toBe(404);
  });

  it('restores a record without a secret that was removed from it', async () => {
    const secret = 'sk-ant-api03-abcdefghijklmnopqrstuvwxyz0123456789';
    const id = await remember(`The quetzalcoatl's key is ${secret}`);
    const { json } = await forget({ ids: [id] });
    await undo(json.undo?.forgetId);
    expect(await shown()).toContain('quetzalcoatl');
    expect(isStored(new RegExp(secret, 'i'))).toBe(false);
  });
});

describe('deleting one observation over HTTP', { timeout: 60_000 }, () => {
  it('responds when the record is hidden, and health reports when the database file no longer contains the record', async () => {
    const clock = await restart();
    const id = await remember('The quetzalcoatl lands on Fridays');
    const isErased = async () =>
      ((await worker.ask({ path: '/api/health' })).json as { isErased: boolean }).isErased;
    expect(await isErased()).toBe(true);
    const forgetIt = () => worker.ask({ method: 'DELETE', path: `/api/observations/${id}` });
    expect((await forgetIt()).json).toEqual({ changed: 1, isErased: false });
    expect(await isErased()).toBe(false);
    expect(await shown()).not.toContain('quetzalcoatl');
    await clock.advance(10_000);
    await until(isErased);
    expect(isStored(/quetzal/i)).toBe(false);
    expect((await forgetIt()).json).toEqual({ changed: 0, isErased: true });
  });
});
