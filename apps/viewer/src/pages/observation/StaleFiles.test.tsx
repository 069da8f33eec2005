import type { Freshness } from '@claude-mem/core';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { StaleFiles } from './StaleFiles.js';

const freshness = (files: Freshness['files']): Freshness => ({
  ...{ verdict: 'changed', fileCount: 2, staleCount: files.length, files, branch: null },
});
const drawn = (one: Freshness) => renderToStaticMarkup(<StaleFiles freshness={one} />);

it('lists each file that was changed, moved or deleted', () => {
  const html = drawn(
    freshness([
      { path: 'a<b>.ts', verdict: 'changed', commits: 2, movedTo: null },
      { path: 'b.ts', verdict: 'moved', commits: null, movedTo: 'c.ts' },
    ]),
  );
  expect(html).toContain('a&lt;b&gt;.ts: changed since (2 commits)');
  expect(html).toContain('b.ts: moved to c.ts');
});

it('shows how many more files are stale when the list is cut', () => {
  const file = { path: 'a.ts', verdict: 'gone', commits: null, movedTo: null } as const;
  expect(drawn({ ...freshness([file]), staleCount: 22 })).toContain('21 more files');
});

it.each([
  ['open', 'Recorded on the open branch voucher'],
  ['abandoned', 'Recorded on the deleted branch voucher'],
] as const)('shows the branch when it is %s', (state, line) => {
  const html = drawn({ ...freshness([]), verdict: 'unknown', branch: { name: 'voucher', state } });
  expect(html).toContain(line);
});

it('shows nothing when no file has changed', () => {
  expect(drawn(freshness([]))).toBe('');
});
