import type { FoundItem } from '@claude-mem/worker-protocol';
import { useQuery } from '@tanstack/react-query';
import { Failure } from '../../ui/Failure.js';
import { scoreParts } from './score-parts.js';
import { explainedQuery, type Search } from './search-query.js';
import styles from './Why.module.css';

/** What the score of a hit is made of. */
export function Why({ hit, search, offset }: { hit: FoundItem; search: Search; offset: number }) {
  const { data, error, refetch } = useQuery(explainedQuery(search, offset));
  if (error !== null) return <Failure error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <p className={styles['note']}>Asking what counted.</p>;
  const found = data.items.find(({ kind, item }) => kind === hit.kind && item.id === hit.item.id);
  if (found?.parts === undefined || found.parts.length === 0)
    return <p className={styles['note']}>It matches the filters. No other part contributed.</p>;
  return (
    <table className={styles['parts']}>
      <caption className="visually-hidden">What its score is made of</caption>
      <thead className="visually-hidden">
        <tr>
          <th scope="col">What counted</th>
          <th scope="col">How much</th>
        </tr>
      </thead>
      <tbody>
        {scoreParts(found.parts, data.terms).map(({ name, words, value, share, detail }) => (
          <tr key={name}>
            <th scope="row">
              {words}
              {detail !== null && <span className={styles['detail']}> {detail}</span>}
            </th>
            <td>
              <span className={styles['amount']}>
                <span className={styles['bar']} data-negative={value < 0 || undefined} aria-hidden>
                  <span style={{ width: `${Math.round(share * 100)}%` }} />
                </span>
                <span className={styles['value']}>{points.format(value)}</span>
              </span>
            </td>
          </tr>
        ))}
      </tbody>
      <tfoot>
        <tr>
          <th scope="row">Together</th>
          <td>{points.format(found.score)}</td>
        </tr>
      </tfoot>
    </table>
  );
}

const points = new Intl.NumberFormat(undefined, { minimumFractionDigits: 3, maximumFractionDigits: 3 });
