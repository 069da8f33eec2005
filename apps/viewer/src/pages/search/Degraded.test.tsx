// @vitest-environment jsdom
import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { Degraded } from './Degraded.js';

afterEach(cleanup);

it('reports that no record contains the words when results matched only semantically', () => {
  render(<Degraded degraded={[]} isSemanticOnly />);
  expect(screen.getByRole('status').textContent).toMatch(/^No record contains these words\./);
});

it('mentions the selection when filters limit a search that matched only semantically', () => {
  render(<Degraded degraded={[]} isSemanticOnly hasFilters />);
  expect(screen.getByRole('status').textContent).toMatch(
    /^No record of this selection contains these words\./,
  );
});

it('shows no notice when the search is complete', () => {
  render(<Degraded degraded={[]} />);
  expect(screen.queryByRole('status')).toBe(null);
});

it('names each missing part of the search and its reason, including an unknown part', () => {
  render(
    <Degraded
      degraded={[
        { part: 'vectors', reason: 'no vectors are stored yet' },
        { part: 'later', reason: 'not ready' },
      ]}
    />,
  );
  expect(screen.getByRole('status').textContent).toBe(
    'Without semantic search: no vectors are stored yet. later: not ready.',
  );
});
