import type { UsageRow } from '@claude-mem/core';
import { useQueries } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { counted } from '../../format/counted.js';
import { formatCount, formatDollars } from '../../format/format-number.js';
import { hostLabel } from '../../format/host-label.js';
import { worker } from '../../api/worker.js';
import { Ago } from '../../ui/Ago.js';
import { Card } from '../../ui/Card.js';

/** The most expensive sessions, with their titles. */
export function ExpensiveSessions({ rows }: { rows: readonly UsageRow[] }) {
  const known = rows.filter((row): row is UsageRow & { sessionId: number } => row.sessionId !== null);
  const sessions = useQueries({
    queries: known.map(({ sessionId }) => ({
      queryKey: ['getSession', { params: { id: sessionId } }],
      queryFn: () => worker.getSession({ params: { id: sessionId } }),
    })),
  });
  if (known.length === 0) return null;
  return (
    <Card title="Most expensive sessions">
      <ol className="divided">
        {known.map((row, index) => {
          const session = sessions[index]?.data;
          return (
            <li key={row.sessionId} className="row between">
              <div className="grow">
                <Link to="/sessions/$id" params={{ id: row.sessionId }} className="two-lines">
                  {session?.title ?? session?.userPrompt ?? `Session ${row.sessionId}`}
                </Link>
                {session !== undefined && (
                  <p className="muted small">
                    {hostLabel(session.host)}, last active <Ago epoch={session.lastActivityEpoch} />
                  </p>
                )}
              </div>
              <p className="row gap-3 baseline">
                <strong>{formatDollars(row.estimatedCostUsd)}</strong>
                <span className="muted small">
                  {counted(row.calls, 'call')}, {formatCount(row.inputTokens + row.outputTokens)} tokens
                </span>
              </p>
            </li>
          );
        })}
      </ol>
    </Card>
  );
}
