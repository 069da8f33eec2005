import type { RouteReply } from '@claude-mem/worker-protocol';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { isMissing } from '../../api/query-client.js';
import { useStreamEvent } from '../../api/use-stream.js';
import { worker } from '../../api/worker.js';
import { FactList } from '../../records/FactList.js';
import { RecordActions } from '../../records/RecordActions.js';
import { Card } from '../../ui/Card.js';
import { CopyButton } from '../../ui/CopyButton.js';
import { NoAnswer } from '../../ui/NoAnswer.js';
import { Page } from '../../ui/Page.js';
import { StaleNotice } from '../../ui/StaleNotice.js';
import { TypeBadge } from '../../ui/TypeBadge.js';
import { NeighbourRecords } from './NeighbourRecords.js';
import { FileLinks } from './FileLinks.js';
import { Forgotten } from './Forgotten.js';
import { Origin } from './Origin.js';
import { PromptBehind } from './PromptBehind.js';
import { StaleFiles } from './StaleFiles.js';
import { Supersession } from './Supersession.js';
import { Marked } from '../../records/Marked.js';

type Detail = RouteReply<'getObservation'>;

export function ObservationPage() {
  const { id } = useParams({ from: '/observations/$id' });
  const answer = useQuery({
    queryKey: ['getObservation', { params: { id } }],
    queryFn: ({ signal }) => worker.getObservation({ params: { id } }, { signal }),
  });
  const { data, error, refetch } = answer;
  useStreamEvent((event) => {
    const isAbout =
      event.type === 'stream-reset' ||
      (event.type === 'memory-forgotten' && (error !== null || isGone(event.data, id, data))) ||
      ((event.type === 'observation-created' || event.type === 'observation-updated') &&
        (event.data.item.id === id ||
          event.data.item.supersededBy === id ||
          hasPlaceOf(data, event.data.item.id)));
    if (isAbout) void refetch();
  });

  if (isMissing(error)) return <Forgotten id={id} />;
  if (data !== undefined) return <Observation observation={data} stale={<StaleNotice query={answer} />} />;
  return (
    <Page title={`#${id}`}>
      <NoAnswer query={answer} />
    </Page>
  );
}

function Observation({ observation, stale }: { observation: Detail; stale: ReactNode }) {
  const { id, type, title, subtitle, narrative, facts, concepts, filesModified, filesRead, pinned, project } =
    observation;
  const { freshness } = observation;
  return (
    <Page
      title={title ?? `Observation #${id}`}
      about={subtitle}
      actions={<RecordActions observation={observation} variant="words" />}
    >
      {stale}
      <p className="row gap-3 muted small">
        <TypeBadge type={type} />
        <span className="copyable">
          #{id}
          <CopyButton text={`#${id}`} label={`the id #${id}`} />
        </span>
        {pinned && <span>Pinned</span>}
      </p>
      <Supersession observation={observation} />
      {freshness !== undefined && <StaleFiles freshness={freshness} />}
      <div className="split">
        <div className="stack">
          {narrative !== null && (
            <Card title="Narrative">
              <p className="measure pre">
                <Marked text={narrative} />
              </p>
            </Card>
          )}
          {facts.length > 0 && (
            <Card title="Facts">
              <FactList facts={facts} />
            </Card>
          )}
          <PromptBehind observation={observation} />
          <NeighbourRecords id={id} project={project} />
        </div>
        <div className="stack">
          <Origin observation={observation} />
          {concepts.length > 0 && (
            <Card title="Concepts">
              <ul className="row">
                {concepts.map((concept) => (
                  <li key={concept}>
                    <Link to="/search" search={{ q: '', concepts: [concept] }} className="chip">
                      {concept}
                    </Link>
                  </li>
                ))}
              </ul>
            </Card>
          )}
          <FileLinks title="Files changed" paths={filesModified} project={project} />
          <FileLinks title="Files read" paths={filesRead} project={project} />
        </div>
      </div>
    </Page>
  );
}

function isGone(
  { observationIds, sessionIds }: { observationIds: readonly number[]; sessionIds: readonly number[] },
  id: number,
  data: Detail | undefined,
): boolean {
  return observationIds.includes(id) || (data !== undefined && sessionIds.includes(data.sessionId));
}

const hasPlaceOf = (data: Detail | undefined, id: number) =>
  data !== undefined && (data.supersededBy === id || data.supersedes.includes(id));
