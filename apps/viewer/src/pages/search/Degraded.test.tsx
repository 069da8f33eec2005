// @vitest-environment jsdom
import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { Degraded } from './Degraded.js';

afterEach(cleanup);

it('says when nothing has the words that were searched for', () => {
  render(<Degraded degraded={[]} isByMeaning />);
  expect(screen.getByRole('status').textContent).toMatch(/^No record has these words\./);
});

it('says nothing about an answer that lacks nothing', () => {
  render(<Degraded degraded={[]} />);
  expect(screen.queryByRole('status')).toBe(null);
});

it('names the part that was missing, also one it has no words for', () => {
  render(
    <Degraded
      degraded={[
        { part: 'vectors', reason: 'no vectors are stored yet' },
        { part: 'later', reason: 'not ready' },
      ]}
    />,
  );
  expect(screen.getByRole('status').textContent).toBe(
    'Without search by meaning: no vectors are stored yet. later: not ready.',
  );
});
