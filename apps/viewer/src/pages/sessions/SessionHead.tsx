import type { SessionDetail } from '@claude-mem/worker-protocol';
import { Link } from '@tanstack/react-router';
import { formatDuration } from '../../format/format-duration.js';
import { Ago } from '../../ui/Ago.js';
import { Card } from '../../ui/Card.js';
import { Fact, Facts } from '../../ui/Facts.js';
import { Moment } from '../../ui/Moment.js';
import { hostLabel } from '../../format/host-label.js';
import { SessionStatusWord } from './SessionStatusWord.js';

export function SessionHead({ detail: { session, project, queue } }: { detail: SessionDetail }) {
  const { createdAtEpoch, lastActivityEpoch, cwd } = session;
  const took = lastActivityEpoch - createdAtEpoch;
  return (
    <Card title="Session">
      <Facts>
        <Fact name="Project">
          <Link to="/projects/$id" params={{ id: project.id }}>
            {project.name}
          </Link>
        </Fact>
        <Fact name="Host">{hostLabel(session.host)}</Fact>
        <Fact name="Status">
          <SessionStatusWord status={session.status} />
        </Fact>
        {cwd !== null && (
          <Fact name="Folder">
            <code>{cwd}</code>
          </Fact>
        )}
        <Fact name="Started">
          <Moment epoch={createdAtEpoch} />
        </Fact>
        <Fact name="Last activity">
          <Ago epoch={lastActivityEpoch} />
        </Fact>
        {took >= 1_000 && <Fact name="Duration">{formatDuration(took)}</Fact>}
        <Fact name="Waiting">
          <QueueState queue={queue} />
        </Fact>
        <Fact name="Agent session ID">
          <code>{session.contentSessionId}</code>
        </Fact>
      </Facts>
    </Card>
  );
}

function QueueState({ queue: { pending, processing, parked } }: Pick<SessionDetail, 'queue'>) {
  if (pending + processing + parked === 0) return 'None';
  const parts = [
    pending > 0 ? `${pending} waiting` : '',
    processing > 0 ? `${processing} in progress` : '',
    parked > 0 ? `${parked} parked` : '',
  ];
  return (
    <Link to="/queue" className="tone" data-tone={parked > 0 ? 'warning' : undefined}>
      {parts.filter(Boolean).join(', ')}
    </Link>
  );
}
