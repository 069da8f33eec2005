import type { SummaryDraft } from '@claude-mem/core';
import { readObserverReply, type ObserverMode } from '@claude-mem/parser';
import { expect, it } from 'vitest';
import { plausibleReply } from './plausible-reply.js';

const NO_SUMMARY: SummaryDraft = {
  request: null,
  investigated: null,
  learned: null,
  completed: null,
  nextSteps: null,
  notes: null,
  filesRead: [],
  filesEdited: [],
};
const mode: ObserverMode = {
  name: 'code',
  types: [{ id: 'discovery', meaning: 'found' }],
  neutralType: 'discovery',
  concepts: [],
  guidance: '',
  examples: { observations: [], summary: NO_SUMMARY },
};
const read = (text: string) => readObserverReply(text, mode);
const turn = '<use tool="Edit">src/limit.ts</use>';

it('the reply is well formed, names the files of the request, and differs for each request', () => {
  const reply = plausibleReply();
  const first = read(reply({ instructions: '', prompt: turn }).text);
  const second = read(reply({ instructions: '', prompt: turn }).text);
  expect(first.issues).toEqual([]);
  expect(first.observations[0]?.filesRead).toEqual(['src/limit.ts']);
  expect(second.observations[0]?.title).not.toBe(first.observations[0]?.title);
});

it('the reply contains a summary only when the prompt requests one', () => {
  const reply = plausibleReply();
  const prompt = `${turn} Write the observations and one <summary>.`;
  expect(read(reply({ instructions: '', prompt }).text).summary).not.toBeNull();
  expect(read(reply({ instructions: '', prompt: turn }).text).summary).toBeNull();
});
