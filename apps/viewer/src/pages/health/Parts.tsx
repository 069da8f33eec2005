import type { StoreStats } from '@claude-mem/core';
import type { HealthDetail } from '@claude-mem/worker-protocol';
import { Link } from '@tanstack/react-router';
import { formatBytes, formatCount } from '../../format/format-number.js';
import { formatDuration } from '../../format/format-duration.js';
import { Ago } from '../../ui/Ago.js';
import { Card } from '../../ui/Card.js';
import { Fact, Facts } from '../../ui/Facts.js';
import { OUTCOME_LABELS, storageFactsOf } from './format-health.js';
import { ObserverPart } from './ObserverPart.js';
import { CopyablePath } from './CopyablePath.js';
import styles from './HealthPage.module.css';

/** One card for each part of the worker. */
export function Parts({ health, stats }: { health: HealthDetail; stats: StoreStats | undefined }) {
  return (
    <div className={styles['parts']}>
      <WorkerPart health={health} />
      <DatabasePart health={health} stats={stats} />
      <QueuePart health={health} />
      <ObserverPart observer={health.observer} />
      <IndexPart search={health.search} />
      <CapturePart health={health} stats={stats} />
      <ListenersPart health={health} />
    </div>
  );
}

function WorkerPart({ health }: { health: HealthDetail }) {
  return (
    <Card title="Worker" actions={<Link to="/logs">Logs</Link>}>
      <Facts>
        <Fact name="Version">{health.version}</Fact>
        <Fact name="Running for">{formatDuration(health.uptimeMs)}</Fact>
        <Fact name="Process">{health.pid}</Fact>
        <Fact name="Memory">{formatBytes(health.memoryBytes)}</Fact>
        <Fact name="Data">
          <CopyablePath path={health.dataDir} />
        </Fact>
        <Fact name="Log">
          <CopyablePath path={health.logFile} />
        </Fact>
      </Facts>
    </Card>
  );
}

function DatabasePart({ health, stats }: { health: HealthDetail; stats: StoreStats | undefined }) {
  const facts = storageFactsOf(health.storage);
  return (
    <Card title="Database">
      <Facts>
        {stats !== undefined && (
          <>
            <Fact name="Observations">{formatCount(stats.observations)}</Fact>
            <Fact name="Summaries">{formatCount(stats.summaries)}</Fact>
            <Fact name="Prompts">{formatCount(stats.prompts)}</Fact>
            <Fact name="Sessions">{formatCount(stats.sessions)}</Fact>
            <Fact name="Projects">{formatCount(stats.projects)}</Fact>
          </>
        )}
        {facts.databaseBytes !== null && (
          <Fact name="Size on disk">{formatBytes(facts.databaseBytes + (facts.walBytes ?? 0))}</Fact>
        )}
        <Fact name="Integrity check">
          {facts.lastCheckEpoch === null ? (
            'not since the worker started'
          ) : (
            <LastCheck epoch={facts.lastCheckEpoch} />
          )}
        </Fact>
        <Fact name="Last backup">
          {facts.lastBackupEpoch === null ? 'none yet' : <Ago epoch={facts.lastBackupEpoch} />}
        </Fact>
        {facts.recoveryNotice !== null && <Fact name="Recovery">{facts.recoveryNotice}</Fact>}
        {facts.quarantined.map((file) => (
          <Fact key={file} name="Damaged file">
            <CopyablePath path={file} />
          </Fact>
        ))}
        {facts.schemaVersion !== null && <Fact name="Schema">{facts.schemaVersion}</Fact>}
        {facts.file !== null && (
          <Fact name="File">
            <CopyablePath path={facts.file} />
          </Fact>
        )}
      </Facts>
    </Card>
  );
}

const LastCheck = ({ epoch }: { epoch: number }) => (
  <>
    passed <Ago epoch={epoch} />
  </>
);

function QueuePart({ health: { queue, spool } }: { health: HealthDetail }) {
  return (
    <Card title="Queue" actions={<Link to="/queue">Open</Link>}>
      <Facts>
        {queue === null ? (
          <Fact name="Messages">unknown</Fact>
        ) : (
          <>
            <Fact name="Waiting">{formatCount(queue.pending)}</Fact>
            <Fact name="Running">{formatCount(queue.processing)}</Fact>
            <Fact name="Parked">{formatCount(queue.parked)}</Fact>
            {queue.oldestPendingEpoch !== null && (
              <Fact name="Oldest waiting">
                <Ago epoch={queue.oldestPendingEpoch} />
              </Fact>
            )}
            {queue.orphans > 0 && <Fact name="Events without a session">{formatCount(queue.orphans)}</Fact>}
          </>
        )}
        <Fact name="Spool files">{formatCount(spool.waiting)}</Fact>
        {spool.rejected > 0 && <Fact name="Rejected spool files">{formatCount(spool.rejected)}</Fact>}
      </Facts>
    </Card>
  );
}

function IndexPart({ search }: { search: HealthDetail['search'] }) {
  if (search === null)
    return (
      <Card title="Indexes">
        <p>Progress unknown</p>
      </Card>
    );
  const { words: lexical, vectors } = search;
  const share = lexical.total === 0 ? 1 : lexical.indexed / lexical.total;
  return (
    <Card title="Indexes">
      <Facts>
        <Fact name="Lexical index">
          {share >= 1 ? (
            `all of ${formatCount(lexical.total)} records`
          ) : (
            <>
              <progress
                aria-label="Records in the lexical index"
                value={lexical.indexed}
                max={lexical.total}
              />{' '}
              {formatCount(lexical.indexed)} of {formatCount(lexical.total)} records
            </>
          )}
          {lexical.problem !== undefined && <p>{lexical.problem}</p>}
        </Fact>
        <Fact name="Semantic index">
          {vectors.index === 'none'
            ? 'off'
            : vectors.waiting === 0
              ? 'all observations'
              : `${formatCount(vectors.waiting)} observations pending`}
          {vectors.failed > 0 && `, ${formatCount(vectors.failed)} of them failed and will be retried`}
          {vectors.problem !== null && <p>{vectors.problem}</p>}
        </Fact>
        {vectors.index !== 'none' && <Fact name="Vectors">{vectors.index}</Fact>}
        {vectors.model !== null && <Fact name="Model">{vectors.model}</Fact>}
      </Facts>
    </Card>
  );
}

function CapturePart({
  health: { capture },
  stats,
}: {
  health: HealthDetail;
  stats: StoreStats | undefined;
}) {
  return (
    <Card title="Events from hosts">
      <Facts>
        <Fact name="Received since the worker started">{formatCount(capture.events)}</Fact>
        <Fact name="Skipped">{formatCount(capture.ignored)}</Fact>
        <Fact name="Failed">
          {formatCount(capture.failed)}
          {capture.blank > 0 &&
            `, ${formatCount(capture.blank)} of them because a hook could not write to disk`}
        </Fact>
      </Facts>
      {stats !== undefined && (
        <>
          <h3 className="small">Outcomes of all queued events</h3>
          <Facts>
            {OUTCOME_LABELS.map(([outcome, label]) => (
              <Fact key={outcome} name={label}>
                {formatCount(stats.outcomes[outcome] ?? 0)}
              </Fact>
            ))}
          </Facts>
        </>
      )}
    </Card>
  );
}

function ListenersPart({ health: { socket, tcp } }: { health: HealthDetail }) {
  const address = `http://${tcp.host.includes(':') ? `[${tcp.host}]` : tcp.host}:${tcp.port}`;
  return (
    <Card title="Listeners">
      <Facts>
        <Fact name="For hooks">{socket === '' ? 'none' : <CopyablePath path={socket} />}</Fact>
        <Fact name="For the browser">
          {tcp.isListening ? <CopyablePath path={address} label="the address" /> : (tcp.problem ?? 'closed')}
        </Fact>
      </Facts>
    </Card>
  );
}
