import { expect, it } from 'vitest';
import { ClaudeMemError, messageOf } from './error.js';

class ShelfError extends ClaudeMemError<'shelf/full' | 'shelf/locked'> {}

it('has the code, message, cause and data, and the name of its class', () => {
  const cause = new Error('no space');
  const error = new ShelfError('shelf/full', 'The shelf is full; remove a book.', {
    cause,
    data: { books: 40 },
  });
  expect(error).toMatchObject({ name: 'ShelfError', code: 'shelf/full', cause, data: { books: 40 } });
  expect(error).toBeInstanceOf(Error);
  expect(error.stack).toContain('The shelf is full');
});

it('has no cause and empty data when the caller passes neither', () => {
  const error = new ShelfError('shelf/locked', 'Unlock it first.');
  expect('cause' in error).toBe(false);
  expect(error.data).toEqual({});
});

it('is recognized across copies of the package, and other values are not', () => {
  const foreign = Object.defineProperty(new Error('from another copy'), Symbol.for('@claude-mem/error'), {
    value: true,
  });
  expect(ClaudeMemError.isInstance(new ShelfError('shelf/full', ''))).toBe(true);
  expect(ClaudeMemError.isInstance(foreign)).toBe(true);
  for (const other of [new Error('shelf/full'), { code: 'shelf/full' }, 'shelf/full', null, undefined])
    expect(ClaudeMemError.isInstance(other)).toBe(false);
});

it('returns a text for every thrown value', () => {
  expect([new Error('full'), 'full', 7, null, undefined].map(messageOf)).toEqual([
    'full',
    'full',
    '7',
    'null',
    'undefined',
  ]);
});
