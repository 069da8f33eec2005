import type { SessionDetail } from '@claude-mem/worker-protocol';
import { Link } from '@tanstack/react-router';
import { formatDuration } from '../../format/format-duration.js';
import { Ago } from '../../ui/Ago.js';
import { Card } from '../../ui/Card.js';
import { Facts } from '../../ui/Facts.js';
import { Moment } from '../../ui/Moment.js';
import { hostLabel } from '../../format/host-label.js';
import { SessionStatusWord } from './SessionStatusWord.js';
import styles from './Session.module.css';

export function SessionHead({ detail: { session, project, queue } }: { detail: SessionDetail }) {
  const { createdAtEpoch, lastActivityEpoch, cwd } = session;
  const took = lastActivityEpoch - createdAtEpoch;
  return (
    <Card title="Session">
      <Facts
        facts={[
          [
            'Project',
            <Link key="project" to="/projects/$id" params={{ id: project.id }}>
              {project.name}
            </Link>,
          ],
          ['Host', hostLabel(session.host)],
          ['Status', <SessionStatusWord key="status" status={session.status} />],
          cwd === null ? null : ['Folder', <code key="cwd">{cwd}</code>],
          ['Began', <Moment key="began" epoch={createdAtEpoch} />],
          ['Last activity', <Ago key="last" epoch={lastActivityEpoch} />],
          took < 1_000 ? null : ['Took', formatDuration(took)],
          ['Waiting', <Waiting key="waiting" queue={queue} />],
          ['Id at the host', <code key="id">{session.contentSessionId}</code>],
        ]}
      />
    </Card>
  );
}

function Waiting({ queue: { pending, processing, parked } }: Pick<SessionDetail, 'queue'>) {
  if (pending + processing + parked === 0) return 'Nothing';
  const parts = [
    pending > 0 ? `${pending} waiting` : '',
    processing > 0 ? `${processing} being observed` : '',
    parked > 0 ? `${parked} parked` : '',
  ];
  return (
    <Link to="/queue" className={parked > 0 ? styles['parked'] : undefined}>
      {parts.filter(Boolean).join(', ')}
    </Link>
  );
}
