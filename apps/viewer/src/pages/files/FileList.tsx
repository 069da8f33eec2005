import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { FileText } from 'lucide-react';
import { useState } from 'react';
import { useRefresh } from '../../api/use-refresh.js';
import { formatCount } from '../../format/format-number.js';
import { EmptyState } from '../../ui/EmptyState.js';
import { NoAnswer } from '../../ui/NoAnswer.js';
import { Page } from '../../ui/Page.js';
import { StaleNotice } from '../../ui/StaleNotice.js';
import { projectsQuery } from '../projects/projects-query.js';
import { FileLink } from './FileLink.js';
import { filesQuery } from './files-query.js';

/** The files with the most records, and a search by a part of the path. */
export function FileList({ project }: { project: string | undefined }) {
  const navigate = useNavigate();
  const [text, setText] = useState('');
  const query = useQuery(filesQuery({ text, project }));
  const projects = useQuery(projectsQuery()).data?.items ?? [];
  useRefresh('facets', ({ type }) => type === 'observation-created' || type === 'memory-forgotten');
  const files = query.data?.files ?? [];
  const isNarrowed = text.trim() !== '' || project !== undefined;
  return (
    <Page title="Files" about="Files named by observations, the most touched first." isWide>
      <StaleNotice query={query} />
      <form
        className="row"
        role="search"
        aria-label="Files"
        onSubmit={(event) => {
          event.preventDefault();
          if (text.trim() !== '') void navigate({ to: '/files', search: placeOf(text.trim(), project) });
        }}
      >
        <input
          className="grow short"
          type="search"
          value={text}
          onChange={({ target }) => setText(target.value)}
          placeholder="Part of a path"
          aria-label="Part of a path"
          autoComplete="off"
          spellCheck={false}
          maxLength={500}
        />
        <select
          value={project ?? ''}
          aria-label="Project"
          onChange={({ target }) =>
            void navigate({ to: '/files', search: placeOf('', target.value || undefined), replace: true })
          }
        >
          <option value="">All projects</option>
          {[
            ...new Set([...(project === undefined ? [] : [project]), ...projects.map(({ name }) => name)]),
          ].map((name) => (
            <option key={name}>{name}</option>
          ))}
        </select>
      </form>
      {query.data === undefined ? (
        <NoAnswer query={query} />
      ) : files.length > 0 ? (
        <table
          className="table framed"
          data-updating={query.isPlaceholderData}
          aria-busy={query.isPlaceholderData}
        >
          <caption className="visually-hidden">Files</caption>
          <thead>
            <tr>
              <th scope="col">File</th>
              <th scope="col" className="start not-narrow">
                Project
              </th>
              <th scope="col">Records</th>
            </tr>
          </thead>
          <tbody>
            {files.map((file) => (
              <tr key={JSON.stringify([file.project, file.value])}>
                <th scope="row">
                  <FileLink path={file.value} project={file.project} />
                  <div className="narrow-only muted tiny">{file.project}</div>
                </th>
                <td className="start not-narrow">{file.project}</td>
                <td>{formatCount(file.count)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      ) : isNarrowed ? (
        <EmptyState icon={FileText} title="No matching files">
          {project !== undefined && (
            <>
              Only {project} was searched.{' '}
              <Link to="/files" search={{ path: '' }}>
                Search all projects
              </Link>
            </>
          )}
        </EmptyState>
      ) : (
        <EmptyState icon={FileText} title="No files yet">
          Files appear here when an observation names them. Run a session that reads or edits a file.
        </EmptyState>
      )}
    </Page>
  );
}

const placeOf = (path: string, project: string | undefined) => ({
  path,
  ...(project === undefined ? {} : { project }),
});
