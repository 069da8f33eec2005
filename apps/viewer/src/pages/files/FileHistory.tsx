import type { Facets, FeedItem, StreamEvent } from '@claude-mem/worker-protocol';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { FileText } from 'lucide-react';
import { useMemo } from 'react';
import { useRefresh } from '../../api/use-refresh.js';
import { counted } from '../../format/counted.js';
import { formatCount } from '../../format/format-number.js';
import { formatDay } from '../../format/format-time.js';
import { CountBars } from '../../plots/CountBars.js';
import { byDay } from '../../records/by-day.js';
import { RecordCard } from '../../records/RecordCard.js';
import { recordKey, describeRecord } from '../../records/describe-record.js';
import { Ago } from '../../ui/Ago.js';
import { Card } from '../../ui/Card.js';
import { CopyButton } from '../../ui/CopyButton.js';
import { EmptyState } from '../../ui/EmptyState.js';
import { Fact, Facts } from '../../ui/Facts.js';
import { NoAnswer } from '../../ui/NoAnswer.js';
import { LoadMoreWhenVisible } from '../../ui/LoadMoreWhenVisible.js';
import { Page } from '../../ui/Page.js';
import { StaleNotice } from '../../ui/StaleNotice.js';
import { WithOverview } from '../../ui/WithOverview.js';
import { FileLink } from './FileLink.js';
import { lastPart } from '../../format/last-part.js';
import { isNamedBy } from './is-named-by.js';
import { fileFacetsQuery, fileRecordsQuery, firstRecordQuery, type FileScope } from './files-query.js';

/**
 * All records about a file. A partial path matches every file whose path ends with it. A folder matches its content.
 */
export function FileHistory(file: FileScope) {
  const { path, project } = file;
  const query = useInfiniteQuery(fileRecordsQuery(file));
  const facets = useQuery(fileFacetsQuery(file)).data;
  const first = useQuery(firstRecordQuery(file)).data;
  const concerns = (event: StreamEvent) => isAbout(event, file);
  useRefresh('feed', concerns);
  useRefresh('facets', concerns);
  const records = useMemo(() => query.data?.pages.flatMap(({ items }) => items) ?? [], [query.data]);
  const [newest] = records;
  return (
    <Page
      title={nameOf(path)}
      isWide
      about={
        <span className="copyable">
          <code>{path}</code>
          <CopyButton text={path} label="the path" />
        </span>
      }
    >
      <p className="small">
        <Link to="/files" search={{ path: '', ...(project === undefined ? {} : { project }) }}>
          All files{project === undefined ? '' : ` of ${project}`}
        </Link>
      </p>
      <StaleNotice query={query} />
      {facets !== undefined && <SimilarPaths file={file} facets={facets} />}
      {query.data === undefined ? (
        <NoAnswer query={query} />
      ) : newest === undefined ? (
        <EmptyState icon={FileText} title="No records of this file">
          Records appear here when a session reads or changes the file.
        </EmptyState>
      ) : (
        <WithOverview
          overview={
            <>
              <Card title="History">
                <Facts>
                  {facets !== undefined && <Fact name="Records">{formatCount(facets.total)}</Fact>}
                  {first && (
                    <Fact name="First">
                      <Ago epoch={first.item.createdAtEpoch} />
                    </Fact>
                  )}
                  <Fact name="Last">
                    <Ago epoch={newest.item.createdAtEpoch} />
                  </Fact>
                  <Fact name="Sessions">
                    <Sessions records={records} isComplete={!query.hasNextPage} />
                  </Fact>
                </Facts>
              </Card>
              {facets !== undefined && facets.types.length > 0 && (
                <Card title="By type">
                  <CountBars
                    label="Observations by type"
                    bars={facets.types.map(({ value, count }) => ({ name: value, count }))}
                  />
                </Card>
              )}
            </>
          }
        >
          {byDay(records).map(({ day, entries }) => (
            <section key={day} className="stack gap-2" aria-label={formatDay(day)}>
              <h2>{formatDay(day)}</h2>
              <ul className="stack gap-2">
                {entries.map((entry) => (
                  <li key={recordKey(entry)} className="lazy">
                    <RecordCard entry={entry} hasDay={false} />
                  </li>
                ))}
              </ul>
            </section>
          ))}
          <LoadMoreWhenVisible query={query} />
        </WithOverview>
      )}
    </Page>
  );
}

function isAbout(event: StreamEvent, { path }: FileScope): boolean {
  if (event.type === 'memory-forgotten') return true;
  if (event.type !== 'observation-created' && event.type !== 'summary-created') return false;
  return describeRecord(event.data).files.some((file) => isNamedBy(file, path));
}

/** Links to the same path in other projects, and to other paths that contain this one. */
function SimilarPaths({ file: { path, project }, facets }: { file: FileScope; facets: Facets }) {
  const projects = facets.projects.filter(({ name }) => name !== project);
  const paths = facets.files.filter(({ value }) => value !== path);
  const isInSeveral = project === undefined ? projects.length > 1 : projects.length > 0;
  if (!isInSeveral && paths.length === 0) return null;
  return (
    <div className="stack gap-2 muted">
      {isInSeveral && (
        <p>
          {project === undefined ? 'Several projects have this path: ' : 'Also in '}
          {projects.map(({ id, name, count }, index) => (
            <span key={id}>
              {index > 0 && ', '}
              <Link to="/files" search={{ path, project: name }}>
                {name}
              </Link>{' '}
              ({count})
            </span>
          ))}
        </p>
      )}
      {paths.length > 0 && (
        <details>
          <summary>{counted(paths.length, 'longer path contains', 'longer paths contain')} this one</summary>
          <ul>
            {paths.map((file) => (
              <li key={JSON.stringify([file.project, file.value])}>
                <FileLink path={file.value} project={file.project} />
              </li>
            ))}
          </ul>
        </details>
      )}
    </div>
  );
}

function Sessions({ records, isComplete }: { records: readonly FeedItem[]; isComplete: boolean }) {
  const ids = [...new Set(records.map(({ item }) => item.sessionId))];
  return (
    <>
      {ids.slice(0, MAX_SESSIONS).map((id, index) => (
        <span key={id}>
          {index > 0 && ', '}
          <Link to="/sessions/$id" params={{ id }}>
            {id}
          </Link>
        </span>
      ))}
      {ids.length > MAX_SESSIONS && ` and ${ids.length - MAX_SESSIONS} more`}
      {!isComplete && ', and earlier ones'}
    </>
  );
}

const MAX_SESSIONS = 5;

/** The last part of the path, limited to the length of a heading. */
function nameOf(path: string): string {
  const name = lastPart(path);
  return name.length > MAX_TITLE_LENGTH ? `${name.slice(0, MAX_TITLE_LENGTH)}…` : name;
}

const MAX_TITLE_LENGTH = 120;
