import type { ProjectDetail } from '@claude-mem/worker-protocol';
import { Link } from '@tanstack/react-router';
import { counted } from '../../format/counted.js';
import { Ago } from '../../ui/Ago.js';
import { Card } from '../../ui/Card.js';
import { TypeBadge } from '../../ui/TypeBadge.js';
import { FileLink } from '../files/FileLink.js';
import { SessionEntry } from '../sessions/SessionEntry.js';
import { Marked } from '../../records/Marked.js';

export function NextSteps({ nextSteps }: Pick<ProjectDetail, 'nextSteps'>) {
  return (
    <Card title="Open next steps">
      {nextSteps.length === 0 ? (
        <p className="muted">No open steps. Open steps of sessions are listed here.</p>
      ) : (
        <ul className="divided">
          {nextSteps.map(({ summaryId, sessionId, text, createdAtEpoch }) => (
            <li key={summaryId}>
              <p className="pre">
                <Marked text={text} />
              </p>
              <p className="meta">
                <Link to="/sessions/$id" params={{ id: sessionId }}>
                  Session {sessionId}
                </Link>
                <Ago epoch={createdAtEpoch} />
              </p>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}

export function TouchedFiles({ files, project }: Pick<ProjectDetail, 'files'> & { project: string }) {
  return (
    <Card title="Most touched files">
      {files.length === 0 ? (
        <p className="muted">No observation names a file yet.</p>
      ) : (
        <ul className="divided">
          {files.map(({ path, count, lastEpoch }) => (
            <li key={path}>
              <FileLink path={path} project={project} />
              <p className="meta">
                <span>{counted(count, 'observation')}</span>
                <Ago epoch={lastEpoch} />
              </p>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}

export function LatestSessions({
  sessions,
  total,
  project,
}: Pick<ProjectDetail, 'sessions'> & { total: number; project: string }) {
  return (
    <Card
      title="Latest sessions"
      actions={
        total > sessions.length && (
          <Link to="/sessions" search={{ project: [project] }}>
            All {total}
          </Link>
        )
      }
    >
      {sessions.length === 0 ? (
        <p className="muted">No session yet.</p>
      ) : (
        <ul className="divided">
          {sessions.map((session) => (
            <li key={session.id}>
              <SessionEntry session={session} />
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}

export function PinnedRecords({ pinned }: Pick<ProjectDetail, 'pinned'>) {
  return (
    <Card title="Pinned">
      {pinned.length === 0 ? (
        <p className="muted">Nothing is pinned. Every session of this project gets the pinned records.</p>
      ) : (
        <ul className="divided">
          {pinned.map(({ id, type, title, createdAtEpoch }) => (
            <li key={id}>
              <Link to="/observations/$id" params={{ id }} className="pre">
                {title ?? `Observation #${id}`}
              </Link>
              <p className="meta">
                <TypeBadge type={type} />
                <span>#{id}</span>
                <Ago epoch={createdAtEpoch} />
              </p>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}
