import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { noopLogger, systemClock, type Logger } from '@claude-mem/core';
import { dataPaths, type DataPaths } from '@claude-mem/settings';
import { StorageError } from '@claude-mem/storage';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createSpool, type SpoolResult } from './create-spool.js';

let folder: string;
let paths: DataPaths;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'spool-'));
  paths = dataPaths(folder);
  mkdirSync(paths.rejectedDir, { recursive: true });
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function put(name: string, content: string, secondsAgo = 0) {
  const path = join(paths.spoolDir, name);
  writeFileSync(path, content);
  const time = Date.now() / 1000 - secondsAgo;
  utimesSync(path, time, time);
}

function openSpool(
  answer: (body: string) => SpoolResult = () => ({ kind: 'done' }),
  { laterMs = 0, log = noopLogger }: { laterMs?: number; log?: Logger } = {},
) {
  const taken: string[] = [];
  const spool = createSpool({
    paths,
    async take({ body }) {
      const text = Buffer.from(body).toString();
      taken.push(text);
      return answer(text);
    },
    clock: { ...systemClock, now: () => Date.now() + laterMs },
    log,
  });
  return { spool, taken };
}

const left = () => readdirSync(paths.spoolDir).sort();

describe('createSpool', () => {
  it('stores files in the order in which they were written, regardless of their names', async () => {
    put('claude-code.Stop.a.json', 'third', 1);
    put('claude-code.Stop.b.json', 'first', 30);
    put('claude-code.Stop.c.json', 'second', 10);
    const { spool, taken } = openSpool();
    await spool.drain();
    expect(taken).toEqual(['first', 'second', 'third']);
    expect(left()).toEqual(['rejected']);
  });

  it('stores files in order even when an earlier one takes longer to read', async () => {
    const long = 'x'.repeat(8_000_000);
    put('claude-code.PostToolUse.a.json', long, 60);
    for (let index = 0; index < 20; index += 1) put(`claude-code.Stop.${index}.json`, `${index}`, 40 - index);
    const { spool, taken } = openSpool();
    await spool.drain();
    expect(taken.map((text) => text.slice(0, 2))).toEqual([
      'xx',
      ...Array.from({ length: 20 }, (_, index) => `${index}`),
    ]);
  });

  it('stores files that were written before the watch started', async () => {
    put('claude-code.Stop.a.json', 'between');
    const { spool, taken } = openSpool();
    const stop = new AbortController();
    const watching = spool.watch({ signal: stop.signal });
    await expect.poll(() => taken).toEqual(['between']);
    stop.abort();
    await watching;
  });

  it('stores a file that was written while another drain was running', async () => {
    put('claude-code.Stop.a.json', 'first');
    const { spool, taken } = openSpool((body) => {
      if (body === 'first') put('claude-code.Stop.b.json', 'second');
      return { kind: 'done' };
    });
    expect(await Promise.all([spool.drain(), spool.drain()])).toEqual([true, true]);
    expect(taken).toEqual(['first', 'second']);
  });

  it('ends every drain while more files arrive', async () => {
    let count = 0;
    const { spool } = openSpool(() => {
      if ((count += 1) < 50) put(`claude-code.Stop.${count}.json`, 'another');
      spool.drain().catch(() => undefined);
      return { kind: 'done' };
    });
    put('claude-code.Stop.0.json', 'first');
    await spool.drain();
    await spool.drain();
    expect(count).toBeLessThan(10);
  });

  it('orders files of the same time by the process id of the hook', async () => {
    for (const id of ['9', '10', '11']) put(`claude-code.Stop.${id}-x.event`, `${id}\0`, 5);
    const { spool, taken } = openSpool();
    await spool.drain();
    expect(taken).toEqual(['9', '10', '11']);
  });

  it('keeps an event without its null byte in the spool for a minute', async () => {
    put('claude-code.Stop.1-a.event', 'half');
    put('claude-code.Stop.1-b.event', '');
    put('claude-code.Stop.1-c.event', 'complete\0');
    put('claude-code.Stop.1-d.event', 'left behind', 61);
    const { spool, taken } = openSpool();
    await spool.drain();
    expect(taken).toEqual(['left behind', 'complete']);
    expect(left()).toEqual(['claude-code.Stop.1-a.event', 'claude-code.Stop.1-b.event', 'rejected']);
  });

  it('keeps an unfinished event in the spool when the clock of the worker is fast', async () => {
    put('claude-code.Stop.1-a.event', 'half');
    put('claude-code.UserPromptSubmit.1-b.tmp', 'half');
    const { spool, taken } = openSpool(undefined, { laterMs: 120_000 });
    await spool.drain();
    expect(taken).toEqual([]);
    expect(left()).toEqual([
      'claude-code.Stop.1-a.event',
      'claude-code.UserPromptSubmit.1-b.tmp',
      'rejected',
    ]);
  });

  it('never stores a time of an event in the future', async () => {
    put('claude-code.Stop.a.json', 'tomorrow', -86_400);
    const times: number[] = [];
    const spool = createSpool({
      paths,
      async take({ occurredAtEpoch }) {
        times.push(occurredAtEpoch);
        return { kind: 'done' };
      },
      clock: systemClock,
      log: noopLogger,
    });
    await spool.drain();
    expect(times).toEqual([expect.toSatisfy((time: number) => time <= Date.now())]);
  });

  it('counts no files when the folders are missing', async () => {
    const { spool } = openSpool();
    rmSync(paths.spoolDir, { recursive: true });
    expect(await spool.counts()).toEqual({ waiting: 0, rejected: 0 });
  });

  it('keeps a file that cannot be stored yet', async () => {
    put('claude-code.Stop.a.json', 'wait');
    const { spool } = openSpool(() => {
      throw new Error('the database is locked');
    });
    await spool.drain();
    expect(left()).toContain('claude-code.Stop.a.json');
    expect(await spool.counts()).toEqual({ waiting: 1, rejected: 0 });
  });

  it('stores the other files when a file can neither be stored nor moved to spool/rejected', async () => {
    mkdirSync(join(paths.spoolDir, 'notes.json'));
    mkdirSync(join(paths.rejectedDir, 'notes.json', 'of an earlier time'), { recursive: true });
    put('claude-code.Stop.a.json', 'first', 20);
    put('claude-code.Stop.b.json', 'bad', 10);
    put('claude-code.Stop.c.json', 'last', 5);
    mkdirSync(join(paths.rejectedDir, 'claude-code.Stop.b.json'));
    const { spool, taken } = openSpool((body) =>
      body === 'bad' ? { kind: 'unusable', reason: 'not JSON' } : { kind: 'done' },
    );
    await spool.drain();
    expect(taken).toEqual(['first', 'bad', 'last']);
    expect(left()).toEqual(['claude-code.Stop.b.json', 'notes.json', 'rejected']);
  });

  it('warns once when a file can neither be stored nor moved to spool/rejected, and again when the file or the reason changes', async () => {
    const file = 'claude-code.Stop.a.json';
    put(file, 'bad', 10);
    mkdirSync(join(paths.spoolDir, 'notes.json'));
    for (const name of [file, 'notes.json'])
      mkdirSync(join(paths.rejectedDir, name, 'of an earlier time'), { recursive: true });
    const warned: unknown[] = [];
    const log: Logger = { ...noopLogger, warn: (fields) => void warned.push(fields['file']) };
    let reason = 'not JSON';
    const open = () => openSpool(() => ({ kind: 'unusable', reason }), { log }).spool;
    const spool = open();
    const warnedOf = async (drains = 3) => {
      warned.length = 0;
      for (let round = 0; round < drains; round += 1) await spool.drain();
      return [...warned].sort();
    };
    expect(await warnedOf()).toEqual([file, 'notes.json']);
    expect(await warnedOf()).toEqual([]);
    put(file, 'bad in another way');
    expect(await warnedOf()).toEqual([file]);
    reason = 'of no host';
    expect(await warnedOf()).toEqual([file]);
    rmSync(join(paths.rejectedDir, file), { recursive: true });
    expect(await warnedOf()).toEqual([file]);
    expect(left()).toEqual(['notes.json', 'rejected']);
    put(file, 'bad');
    expect(await warnedOf(1)).toEqual([file]);
    warned.length = 0;
    await open().drain();
    expect(warned).toEqual(['notes.json']);
  });

  it('warns once about files that cannot be stored yet, and again after they were stored', async () => {
    const file = 'claude-code.Stop.a.json';
    const warned: unknown[] = [];
    const log: Logger = { ...noopLogger, warn: (fields) => void warned.push(fields['file']) };
    let isBusy = true;
    const answer = (): SpoolResult => {
      if (isBusy) throw new StorageError('storage/busy', 'locked');
      return { kind: 'done' };
    };
    const { spool } = openSpool(answer, { log });
    for (const busy of [true, true, false, true, true]) {
      isBusy = busy;
      if (!left().includes(file)) put(file, 'an event', 10);
      await spool.drain();
    }
    expect(warned).toEqual([file, file]);
  });

  it.each(['storage/busy', 'storage/write-failed', 'storage/unreadable'] as const)(
    'R24: stores nothing before an earlier event that failed with %s',
    async (code) => {
      const all = Array.from({ length: 150 }, (_, index) => `${index}`);
      for (const text of all) put(`claude-code.Stop.${text}.json`, text, 200 - Number(text));
      let isUnavailable = true;
      const { spool, taken } = openSpool(() => {
        if (isUnavailable) throw new StorageError(code, 'no');
        return { kind: 'done' };
      });
      expect(await spool.drain()).toBe(false);
      expect(taken.length).toBeLessThanOrEqual(100);
      expect(await spool.counts()).toMatchObject({ waiting: 150 });
      isUnavailable = false;
      taken.length = 0;
      expect(await spool.drain()).toBe(true);
      expect(taken).toEqual(all);
    },
  );

  it('waits a minute for a file that is still being written, and then stores it', async () => {
    put('claude-code.Stop.a.tmp', 'fresh');
    put('claude-code.Stop.b.tmp', 'left behind', 61);
    const { spool, taken } = openSpool();
    await spool.drain();
    expect(taken).toEqual(['left behind']);
    expect(left()).toEqual(['claude-code.Stop.a.tmp', 'rejected']);
  });

  it('rejects files that no hook wrote, and follows no link', async () => {
    put('notes.json', 'x');
    put('claude-code.Stop.bad.json', 'bad');
    writeFileSync(join(folder, 'outside'), 'outside');
    symlinkSync(join(folder, 'outside'), join(paths.spoolDir, 'claude-code.Stop.link.json'));
    const { spool, taken } = openSpool(() => ({ kind: 'unusable', reason: 'not JSON' }));
    await spool.drain();
    expect(taken).toEqual(['bad']);
    expect(left()).toEqual(['rejected']);
    expect(await spool.counts()).toEqual({ waiting: 0, rejected: 3 });
  });

  it('keeps the beginning of a rejected file without private text and secrets, readable only for its owner', async () => {
    rmSync(paths.rejectedDir, { recursive: true });
    const text = `{"prompt": "fix <private>zeta9</private> it", "env": "AWS_SECRET_ACCESS_KEY=wJalrXUtnFEMI/K7MDENG/bPxRfiCYzz", `;
    put('claude-code.Stop.a.json', text);
    const untilTheCut = ' '.repeat(65_536 - text.length - 12);
    put('notes.json', `${text}${untilTheCut}ghp_0123456789abcdefghijklmnopqrstuvwxyz the end`);
    const { spool } = openSpool(() => ({ kind: 'unusable', reason: 'not JSON' }));
    await spool.drain();
    expect(left()).toEqual(['rejected']);
    expect(statSync(paths.rejectedDir).mode & 0o777).toBe(0o700);
    for (const name of ['claude-code.Stop.a.json', 'notes.json']) {
      const file = join(paths.rejectedDir, name);
      const kept = readFileSync(file, 'utf8');
      expect(kept).toMatch(/^\{"prompt": "fix it"/);
      expect(kept).not.toMatch(/zeta9|wJalr|ghp_|the end/);
      expect(statSync(file).mode & 0o777).toBe(0o600);
    }
  });

  it('S10: deletes every rejected file, and no folder', async () => {
    put('claude-code.Stop.a.json', 'half an ev');
    put('notes.json', 'x');
    mkdirSync(join(paths.rejectedDir, 'manual folder'));
    const { spool } = openSpool(() => ({ kind: 'unusable', reason: 'nobody can read it' }));
    await spool.drain();
    expect(await spool.deleteRejected()).toBe(2);
    expect(readdirSync(paths.rejectedDir)).toEqual(['manual folder']);
    rmSync(paths.rejectedDir, { recursive: true });
    expect(await spool.deleteRejected()).toBe(0);
  });

  it('deletes rejected files by their time of rejection, not by the time of the event', async () => {
    const unusable = (): SpoolResult => ({ kind: 'unusable', reason: 'nobody can read it' });
    const days = (count: number) => ({ laterMs: count * 86_400_000 });
    put('claude-code.Stop.a.json', 'half an ev', 90 * 86_400);
    mkdirSync(join(paths.rejectedDir, 'manual folder'));
    await openSpool(unusable).spool.drain();
    const rejected = () => readdirSync(paths.rejectedDir).sort();
    await openSpool(unusable, days(13)).spool.prune(14);
    expect(rejected()).toEqual(['claude-code.Stop.a.json', 'manual folder']);
    await openSpool(unusable, days(15)).spool.prune(14);
    expect(rejected()).toEqual(['manual folder']);
    rmSync(paths.rejectedDir, { recursive: true });
    await openSpool().spool.prune(14);
  });
});
