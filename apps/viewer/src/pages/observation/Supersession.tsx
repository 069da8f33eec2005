import type { RouteReply } from '@claude-mem/worker-protocol';
import { Link } from '@tanstack/react-router';
import { Replace } from 'lucide-react';

/** Links to the observation that supersedes this one, and to those that this one supersedes. */
export function Supersession({
  observation: { supersededBy, supersedes },
}: {
  observation: Pick<RouteReply<'getObservation'>, 'supersededBy' | 'supersedes'>;
}) {
  if (supersededBy === null && supersedes.length === 0) return null;
  return (
    <div className="stack gap-2">
      {supersededBy !== null && (
        <p className="notice">
          <Replace aria-hidden size={15} />
          <span>
            Superseded by <Id id={supersededBy} />. Contexts contain the new observation instead.
          </span>
        </p>
      )}
      {supersedes.length > 0 && (
        <p className="note">
          <Replace aria-hidden size={15} />
          <span>
            Supersedes{' '}
            {supersedes.map((id, index) => (
              <span key={id}>
                {index > 0 && ', '}
                <Id id={id} />
              </span>
            ))}
          </span>
        </p>
      )}
    </div>
  );
}

function Id({ id }: { id: number }) {
  return (
    <Link to="/observations/$id" params={{ id }}>
      #{id}
    </Link>
  );
}
