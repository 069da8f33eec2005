import type { RecordPlace } from '@claude-mem/core';
import { SearchError } from '../search-error.js';

const LETTERS = { prompt: 'p', observation: 'o', summary: 's' } as const;
const KINDS = { p: 'prompt', o: 'observation', s: 'summary' } as const;

/** Encodes the record after which a page continues. */
export function writeCursor({ epoch, kind, id }: RecordPlace): string {
  return `${epoch}.${LETTERS[kind]}.${id}`;
}

/** @throws SearchError `search/bad-request` for a text that `writeCursor` did not write */
export function readCursor(cursor: string | undefined): RecordPlace | undefined {
  if (cursor === undefined) return undefined;
  const match = /^(-?\d{1,16})\.([pos])\.(\d{1,16})$/.exec(cursor);
  if (!match)
    throw new SearchError('search/bad-request', 'cursor is not one that was given out', {
      data: { field: 'cursor' },
    });
  return { epoch: Number(match[1]), kind: KINDS[match[2] as keyof typeof KINDS], id: Number(match[3]) };
}
