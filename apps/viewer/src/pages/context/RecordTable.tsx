import type { ContextReply } from '@claude-mem/worker-protocol';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { counted } from '../../format/counted.js';
import { formatCount } from '../../format/format-number.js';
import { Button } from '../../ui/Button.js';
import { Card } from '../../ui/Card.js';
import { TypeBadge } from '../../ui/TypeBadge.js';
import { countReasons, splitIds } from './reasons.js';

type Entry = ContextReply['shown'][number] & { reason?: string };
const FIRST = 10;

/**
 * A table of records, with the reason why a record was skipped. `uncheckedCount`: number of older records that were not
 * checked.
 */
export function RecordTable({
  title,
  entries,
  uncheckedCount = 0,
}: {
  title: string;
  entries: readonly Entry[];
  uncheckedCount?: number;
}) {
  const [isExpanded, setExpanded] = useState(false);
  const reasons = countReasons(entries.flatMap(({ reason }) => reason ?? []));
  const hasReasons = reasons.length > 0;
  return (
    <Card
      title={`${title} (${formatCount(entries.length)})`}
      actions={
        entries.length > FIRST && (
          <Button onClick={() => setExpanded(!isExpanded)}>
            {isExpanded ? `Show ${FIRST}` : `Show all ${formatCount(entries.length)}`}
          </Button>
        )
      }
    >
      {reasons.length > 1 && (
        <ul className="meta" aria-label="Why">
          {reasons.map(({ reason, count }) => (
            <li key={reason}>
              <strong>{formatCount(count)}</strong> {reason}
            </li>
          ))}
        </ul>
      )}
      <table className="table">
        <caption className="visually-hidden">{title}</caption>
        <thead>
          <tr>
            <th scope="col">Record</th>
            {hasReasons && (
              <th scope="col" className="start muted small not-narrow">
                Why
              </th>
            )}
            <th scope="col" title="Tokens of the complete record">
              Tokens
            </th>
          </tr>
        </thead>
        <tbody>
          {entries
            .slice(0, isExpanded ? undefined : FIRST)
            .map(({ id, type, title: words, tokens, reason }, at) => (
              <tr key={at}>
                <th scope="row">
                  <Link to="/observations/$id" params={{ id }}>
                    {words ?? `Observation #${id}`}
                  </Link>
                  <div className="meta tiny">
                    <TypeBadge type={type} /> #{id}
                    {reason !== undefined && (
                      <span className="narrow-only">
                        <Reason reason={reason} />
                      </span>
                    )}
                  </div>
                </th>
                {hasReasons && (
                  <td className="start muted small not-narrow">
                    {reason !== undefined && <Reason reason={reason} />}
                  </td>
                )}
                <td>{formatCount(tokens)}</td>
              </tr>
            ))}
        </tbody>
      </table>
      {uncheckedCount > 0 && (
        <p className="muted small">
          {counted(uncheckedCount, 'older record was', 'older records were')} not checked.
        </p>
      )}
    </Card>
  );
}

/** Renders a reason. Ids in the reason become links. */
function Reason({ reason }: { reason: string }) {
  return splitIds(reason).map((part, at) =>
    typeof part === 'string' ? (
      part
    ) : (
      <Link key={at} to="/observations/$id" params={{ id: part.id }}>
        #{part.id}
      </Link>
    ),
  );
}
