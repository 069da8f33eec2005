import type { FeedItem } from '@claude-mem/worker-protocol';
import { describe, expect, it } from 'vitest';
import type { Filters } from '../api/filters.js';
import { admitEntry } from './admit-entry.js';

const observation = {
  kind: 'observation',
  project: 'shop',
  host: 'codex',
  item: { type: 'bugfix' },
} as FeedItem;
const prompt = { kind: 'prompt', project: 'shop', host: 'codex', item: {} } as FeedItem;

describe('admitEntry', () => {
  it.each<[Filters, FeedItem, ReturnType<typeof admitEntry>]>([
    [{}, observation, 'yes'],
    [
      { project: ['shop', 'docs'], host: ['codex'], kind: ['observation'], type: ['bugfix'] },
      observation,
      'yes',
    ],
    [{ project: ['docs'] }, observation, 'no'],
    [{ host: ['cursor'] }, observation, 'no'],
    [{ kind: ['summary'] }, observation, 'no'],
    [{ type: ['feature'] }, observation, 'no'],
    [{ type: ['bugfix'] }, prompt, 'no'],
    [{ concepts: ['gotcha'] }, prompt, 'no'],
    [{ files: ['src/'] }, prompt, 'no'],
    [{ concepts: ['gotcha'] }, observation, 'ask'],
    [{ files: ['src/'] }, observation, 'ask'],
    [{ dateFrom: '2026-11-28' }, prompt, 'ask'],
    [{ project: ['/repos/shop'] }, observation, 'ask'],
    [{ project: ['/repos/shop'], host: ['cursor'] }, observation, 'no'],
  ])('decides whether an entry matches the filters %j', (filters, entry, admission) => {
    expect(admitEntry(filters, entry)).toBe(admission);
  });
});
