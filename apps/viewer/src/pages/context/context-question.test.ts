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
  it('contains only the fields of the selected event', () => {
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

  it('returns null when the prompt or the file is empty', () => {
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

  it('keeps the previous preview while a preview for other settings or another prompt loads', () => {
    expect(placeholder({}, { requestedSettings: '{"A":1}' })).toBe('before');
    expect(placeholder({ moment: 'prompt' }, { moment: 'prompt', prompt: 'why not?' })).toBe('before');
  });

  it.each<[string, Partial<ContextQuestion>, Partial<ContextQuestion>]>([
    ['project', {}, { cwd: '/repos/docs' }],
    ['host', {}, { host: 'cursor' }],
    ['moment', { moment: 'prompt' }, { moment: 'start' }],
    ['file', { moment: 'file' }, { moment: 'file', file: 'src/other.ts' }],
  ])('keeps no previous preview when the %s changes', (_, before, now) => {
    expect(placeholder(before, now)).toBeUndefined();
  });
});
