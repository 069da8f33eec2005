import type { FoundItem } from '@claude-mem/worker-protocol';
import { useQuery } from '@tanstack/react-query';
import { Failure } from '../../ui/Failure.js';
import { scoreParts } from './score-parts.js';
import { explainedQuery, type Search } from './search-query.js';

/** The parts of the score of a result. */
export function Why({ hit, search, offset }: { hit: FoundItem; search: Search; offset: number }) {
  const { data, error, refetch } = useQuery(explainedQuery(search, offset));
  if (error !== null) return <Failure error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <p className="muted small">Loading the score.</p>;
  const found = data.items.find(({ kind, item }) => kind === hit.kind && item.id === hit.item.id);
  if (found?.parts === undefined || found.parts.length === 0)
    return <p className="muted small">The record matches the filters. No other part contributed.</p>;
  return (
    <table className="table small short">
      <caption className="visually-hidden">Parts of the score</caption>
      <thead className="visually-hidden">
        <tr>
          <th scope="col">Part</th>
          <th scope="col">Score</th>
        </tr>
      </thead>
      <tbody>
        {scoreParts(found.parts, data.terms).map(({ name, label: words, value, share, detail }) => (
          <tr key={name}>
            <th scope="row">
              {words}
              {detail !== null && <span className="muted mono tiny"> {detail}</span>}
            </th>
            <td>
              <span className="row nowrap">
                <span className="bar grow" data-tone={value < 0 ? 'bad' : undefined} aria-hidden>
                  <span style={{ width: `${Math.round(share * 100)}%` }} />
                </span>
                {points.format(value)}
              </span>
            </td>
          </tr>
        ))}
      </tbody>
      <tfoot>
        <tr>
          <th scope="row">Total</th>
          <td>{points.format(found.score)}</td>
        </tr>
      </tfoot>
    </table>
  );
}

const points = new Intl.NumberFormat(undefined, { minimumFractionDigits: 3, maximumFractionDigits: 3 });
