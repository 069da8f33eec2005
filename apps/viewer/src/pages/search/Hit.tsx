import type { FoundItem } from '@claude-mem/worker-protocol';
import { Link } from '@tanstack/react-router';
import { memo, useId, useState } from 'react';
import { RecordCard } from '../../records/RecordCard.js';
import type { Search } from './search-query.js';
import { SessionHit } from './SessionHit.js';
import { Why } from './Why.js';

/** A search result: the record, its place in time, and on demand the parts of its score. */
export const Hit = memo(function Hit({
  hit,
  terms,
  search,
  offset,
}: {
  hit: FoundItem;
  terms: readonly string[];
  /** The search that returned the result. */
  search: Search;
  /** Offset of the page that contains the result. */
  offset: number;
}) {
  const [isExplained, setExplained] = useState(false);
  const whyId = useId();
  const isRanked = search.query !== undefined;
  const extra = (
    <div className="row gap-3 tiny">
      {hit.kind !== 'session' && (
        <Link
          to="/timeline/$anchor"
          params={{ anchor: anchorOf(hit) }}
          search={{ project: hit.project }}
          className="link"
        >
          Timeline
        </Link>
      )}
      {isRanked && (
        <button
          type="button"
          className="link"
          aria-expanded={isExplained}
          aria-controls={whyId}
          onClick={() => setExplained(!isExplained)}
        >
          Score details
        </button>
      )}
    </div>
  );
  const why = (
    <div id={whyId} hidden={!isExplained}>
      {isExplained && <Why hit={hit} search={search} offset={offset} />}
    </div>
  );
  return hit.kind === 'session' ? (
    <SessionHit hit={hit} terms={terms}>
      {extra}
      {why}
    </SessionHit>
  ) : (
    <RecordCard entry={hit} terms={terms}>
      {extra}
      {why}
    </RecordCard>
  );
});

const anchorOf = ({ kind, item }: FoundItem) => (kind === 'prompt' ? `P${item.id}` : String(item.id));
