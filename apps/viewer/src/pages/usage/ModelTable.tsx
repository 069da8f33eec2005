import type { UsageRow } from '@claude-mem/core';
import { formatCount, formatDollars } from '../../format/format-number.js';
import { Card } from '../../ui/Card.js';

/** The cost of each model, the most expensive first, and the total. */
export function ModelTable({ rows, total }: { rows: readonly UsageRow[]; total: UsageRow }) {
  return (
    <Card title="By model">
      <table className="table">
        <thead>
          <tr>
            <th scope="col">Observer</th>
            <th scope="col">Calls</th>
            <th scope="col" className="not-narrow">
              Failed
            </th>
            <th scope="col">Input</th>
            <th scope="col" className="not-narrow">
              Cached input
            </th>
            <th scope="col">Output</th>
            <th scope="col">Est. cost</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={`${row.provider} ${row.model}`}>
              <th scope="row">
                {row.provider ?? 'unknown'}
                {row.model !== null && <div className="muted small">{row.model}</div>}
              </th>
              <Amounts row={row} />
            </tr>
          ))}
        </tbody>
        {rows.length > 1 && (
          <tfoot>
            <tr>
              <th scope="row">Total</th>
              <Amounts row={total} />
            </tr>
          </tfoot>
        )}
      </table>
    </Card>
  );
}

function Amounts({ row }: { row: UsageRow }) {
  return (
    <>
      <td>{formatCount(row.calls)}</td>
      <td className="not-narrow">{formatCount(row.failedCalls)}</td>
      <td>{formatCount(row.inputTokens)}</td>
      <td className="not-narrow">{formatCount(row.cachedTokens)}</td>
      <td>{formatCount(row.outputTokens)}</td>
      <td>{formatDollars(row.estimatedCostUsd)}</td>
    </>
  );
}
