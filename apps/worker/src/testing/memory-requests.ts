import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Observation } from '@claude-mem/core';
import type { ForgetReply, RememberReply, SearchReply } from '@claude-mem/worker-protocol';
import type { TestWorker } from './start-test-worker.js';

/** Requests of a client that changes the memory of the current worker. */
export function createMemoryRequests(worker: () => TestWorker) {
  const send = async <Reply>(path: string, body: unknown, method = 'POST') => {
    const { status, json } = await worker().ask({ method, path, body });
    return { status, json: json as Reply };
  };
  const remember = (body: object) => send<RememberReply>('/api/memory', body);
  return {
    send,
    remember,
    /** Saves a text in the project and returns the id of the record. */
    async idOf(text: string, more: object = {}) {
      return (await remember({ text, cwd: worker().home.project, ...more })).json.observation.id;
    },
    forget: (body: object) => send<ForgetReply>('/api/memory/forget', body),
    edit: (id: number, body: object) => send<Observation>(`/api/observations/${id}`, body, 'PATCH'),
    /** Titles of the results of a search. */
    async found(words: string) {
      const { json } = await worker().ask({ path: `/api/search?query=${encodeURIComponent(words)}` });
      return (json as SearchReply).items.flatMap(({ item }) => ('title' in item ? [item.title] : []));
    },
  };
}

/** Files below a folder that contain the text. */
export function filesWith(folder: string, text: RegExp): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => {
    const file = join(folder, name);
    return (
      statSync(file, { throwIfNoEntry: false })?.isFile() && text.test(readFileSync(file).toString('latin1'))
    );
  });
}
