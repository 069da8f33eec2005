import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { worker } from '../../api/worker.js';
import { recordKey } from '../../records/describe-record.js';
import { Card } from '../../ui/Card.js';
import { Failure } from '../../ui/Failure.js';
import { TimelineRow } from '../timeline/TimelineRow.js';

const EACH_SIDE = 3;

/** The records of the project just before and after the observation. */
export function NeighbourRecords({ id, project }: { id: number; project: string }) {
  const query = { anchor: String(id), before: EACH_SIDE, after: EACH_SIDE, project: [project] };
  const { data, error, refetch } = useQuery({
    queryKey: ['timeline', { query }],
    queryFn: ({ signal }) => worker.timeline({ query }, { signal }),
  });
  return (
    <Card
      title="Before and after"
      actions={
        <Link to="/timeline/$anchor" params={{ anchor: String(id) }} search={{ project }}>
          Timeline
        </Link>
      }
    >
      {error !== null && data === undefined && <Failure error={error} onRetry={() => void refetch()} />}
      <ol>
        {data?.items.map((entry, index) => (
          <li key={recordKey(entry)} aria-current={index === data.anchorIndex || undefined}>
            <TimelineRow entry={entry} isAnchor={index === data.anchorIndex} />
          </li>
        ))}
      </ol>
    </Card>
  );
}
