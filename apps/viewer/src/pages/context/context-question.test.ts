import { QueryClient } from '@tanstack/react-query';
import { describe, expect, it } from 'vitest';
import { contextQueryOf, previewQuery, type ContextQuestion } from './context-question.js';

const question: ContextQuestion = {
  cwd: '/repos/shop',
  moment: 'start',
  host: 'claude-code',
  prompt: 'why cents?',
  file: 'src/money.ts',
  requestedSettings: '',
};

describe('contextQueryOf', () => {
  it('asks only for what the moment is about', () => {
    expect(contextQueryOf(question)).toEqual({ cwd: '/repos/shop', host: 'claude-code' });
    expect(contextQueryOf({ ...question, moment: 'prompt' })).toEqual({
      cwd: '/repos/shop',
      prompt: 'why cents?',
    });
    expect(contextQueryOf({ ...question, moment: 'file', requestedSettings: '{"A":1}' })).toEqual({
      cwd: '/repos/shop',
      file: 'src/money.ts',
      settings: '{"A":1}',
    });
  });

  it('asks nothing without a prompt or a file', () => {
    expect(contextQueryOf({ ...question, moment: 'prompt', prompt: ' ' })).toBeNull();
    expect(contextQueryOf({ ...question, moment: 'file', file: '' })).toBeNull();
  });
});

describe('previewQuery', () => {
  const placeholder = (before: Partial<ContextQuestion>, now: Partial<ContextQuestion>) => {
    const query = contextQueryOf({ ...question, ...now });
    const queryBefore = contextQueryOf({ ...question, ...before });
    if (query === null || queryBefore === null) throw new Error('asks nothing');
    const { queryKey } = previewQuery(queryBefore);
    const cached = new QueryClient().getQueryCache().build(new QueryClient(), { queryKey });
    const { placeholderData } = previewQuery(query);
    return (placeholderData as (data: unknown, before: unknown) => unknown)('before', cached);
  };

  it('lets the answer before stand in for one with other settings or to another prompt', () => {
    expect(placeholder({}, { requestedSettings: '{"A":1}' })).toBe('before');
    expect(placeholder({ moment: 'prompt' }, { moment: 'prompt', prompt: 'why not?' })).toBe('before');
  });

  it.each<[string, Partial<ContextQuestion>, Partial<ContextQuestion>]>([
    ['project', {}, { cwd: '/repos/docs' }],
    ['host', {}, { host: 'cursor' }],
    ['moment', { moment: 'prompt' }, { moment: 'start' }],
    ['file', { moment: 'file' }, { moment: 'file', file: 'src/other.ts' }],
  ])('never lets one of another %s', (_, before, now) => {
    expect(placeholder(before, now)).toBeUndefined();
  });
});
