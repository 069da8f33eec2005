import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { FileRole, Freshness } from '@claude-mem/core';
import { openStorage, type Storage } from '@claude-mem/storage';
import { afterEach, beforeEach, expect } from 'vitest';
import { createGit, type RunGit } from '../git/create-git.js';
import { readHead } from '../git/read-head.js';
import { createRecordCheck, type RecordCheck } from '../create-record-check.js';
import { readFileContent } from '../read-file-content.js';

/** An empty folder, which also contains the repository. */
export let folder: string;
export let storage: Storage;
/** The folder of the repository. */
export let root: string;
let count: number;

/** Creates an empty folder with a database before each test, and deletes it afterwards. */
export function useRepository(): void {
  beforeEach(async () => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'freshness-')));
    root = join(folder, 'demo');
    mkdirSync(root);
    count = 0;
    storage = await openStorage({
      file: join(folder, 'claude-mem.db'),
      backupsDir: join(folder, 'backups'),
    });
  });
  afterEach(async () => {
    await storage.close();
    rmSync(folder, { recursive: true, force: true });
  });
}

const PERSON = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.org', '-c', 'commit.gpgSign=false'];
export const gitIn = (cwd: string, ...args: string[]) =>
  execFileSync('git', [...PERSON, '-c', 'protocol.file.allow=always', ...args], { cwd, stdio: 'pipe' });
export const git = (...args: string[]) => gitIn(root, ...args);

export const textOf = (name: string, lines = 20) =>
  Array.from({ length: lines }, (_, line) => `${name} line ${line}\n`).join('');

export function write(path: string, text = textOf(path)) {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

export function commit(message = 'Change') {
  git('add', '-A');
  git('commit', '-q', '-m', message);
}

/** A repository with one commit of these files. */
export function begin(...paths: string[]) {
  git('init', '-q', '-b', 'main');
  for (const path of paths) write(path);
  commit('Begin');
}

/** Stores a record of a turn that begins now. `work` is what the turn does. */
export async function record(
  files: Readonly<Record<string, FileRole>>,
  work: () => void = () => {},
): Promise<number> {
  count += 1;
  const now = Date.UTC(2026, 0, 1) + count * 1_000;
  const [captured] = await storage.store.capture([
    {
      kind: 'prompt',
      host: 'claude-code',
      contentSessionId: `session-${count}`,
      cwd: root,
      projectDir: root,
      promptId: null,
      agentId: null,
      agentType: null,
      text: `Prompt ${count}`,
      project: { key: root, name: 'demo' },
      filterReason: null,
      dedupeKey: `prompt-${count}`,
      occurredAtEpoch: now,
      head: readHead(root),
    },
  ]);
  work();
  const fileStates = [];
  for (const [path, role] of Object.entries(files)) {
    const content = await readFileContent(root, path);
    fileStates.push({ path, role, blob: content.kind === 'blob' ? content.ids[0] : null });
  }
  const texts = { subtitle: null, narrative: null, facts: [], concepts: [] };
  const { observations } = await storage.store.commitReply({
    sessionId: captured!.sessionId,
    promptNumber: captured!.promptNumber,
    observations: [
      { type: 'change', title: `Record ${count}`, ...texts, filesRead: [], filesModified: [], fileStates },
    ],
    summary: null,
    confirm: [],
    provider: 'local',
    model: null,
    now,
  });
  return observations[0]!.id;
}

export const runGit: RunGit = (...args) =>
  createGit({ searchPath: process.env['PATH'] ?? '', home: folder })(...args);

export async function openCheck(checkout = root, run = runGit) {
  const { store } = storage;
  const projectId = (await store.findProject(root))!.id;
  const signal = AbortSignal.timeout(60_000);
  return createRecordCheck({ store, git: run, projectId, root: checkout, signal });
}

/** The verdict of a record for what is checked out now. */
export async function check(
  id: number,
  checkout = root,
  opened: RecordCheck | Promise<RecordCheck> = openCheck(checkout),
): Promise<Freshness> {
  const recordCheck = await opened;
  while (await recordCheck.step());
  const [row] = await storage.store.freshnessOf([id]);
  expect(row).toMatchObject({ checkout, headCommit: readHead(checkout)?.commit ?? null });
  return row!.freshness;
}

export const one = (verdict: 'changed' | 'moved' | 'gone', path: string, more: object = {}) => ({
  verdict,
  fileCount: 1,
  staleCount: 1,
  files: [{ path, verdict, commits: null, movedTo: null, ...more }],
  branch: null,
});
export const nothing = (verdict: 'fresh' | 'unknown') => ({
  ...{ verdict, fileCount: 1, staleCount: 0, files: [], branch: null },
});
