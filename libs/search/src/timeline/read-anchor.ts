import { SearchError } from '../search-error.js';
import { parseMoment } from '@claude-mem/core';
import type { RecordKind } from '@claude-mem/lexical-index';

/** The anchor of a timeline. */
export type Anchor =
  | { kind: 'record'; record: RecordKind; id: number }
  | { kind: 'moment'; epoch: number }
  | { kind: 'query'; query: string };

const KINDS: Readonly<Record<string, RecordKind>> = { '': 'observation', S: 'summary', P: 'prompt' };

/**
 * Parses an id, time or query. Digits up to the largest safe integer are an id, never a time.
 * @throws SearchError `search/bad-request` for anything else
 */
export function readAnchor(anchor: unknown): Anchor {
  if (typeof anchor === 'number' && Number.isSafeInteger(anchor) && anchor > 0)
    return { kind: 'record', record: 'observation', id: anchor };
  if (typeof anchor === 'string') {
    const found = /^#?\s*([SP]?)#?(\d{1,16})$/i.exec(anchor.trim());
    const record = KINDS[found?.[1]?.toUpperCase() ?? ''];
    const id = Number(found?.[2]);
    if (found && record && Number.isSafeInteger(id)) return { kind: 'record', record, id };
    const epoch = found ? null : parseMoment(anchor);
    if (epoch !== null) return { kind: 'moment', epoch };
  }
  if (typeof anchor === 'object' && anchor !== null && 'query' in anchor) {
    if (typeof anchor.query === 'string' && anchor.query.trim() !== '')
      return { kind: 'query', query: anchor.query };
  }
  throw new SearchError(
    'search/bad-request',
    'anchor must be an id (123, "#123", "S12" of a summary, "P12" of a prompt), an ISO time or { query: "words" }',
    { data: { field: 'anchor' } },
  );
}
