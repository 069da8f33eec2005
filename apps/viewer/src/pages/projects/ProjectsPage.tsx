import type { ProjectRow } from '@claude-mem/worker-protocol';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { FolderGit2 } from 'lucide-react';
import { useState } from 'react';
import { useRefresh } from '../../api/use-refresh.js';
import { counted } from '../../format/counted.js';
import { formatCount } from '../../format/format-number.js';
import { Sparkline } from '../../plots/Sparkline.js';
import { Ago } from '../../ui/Ago.js';
import { Command } from '../../ui/Command.js';
import { EmptyState } from '../../ui/EmptyState.js';
import { NoAnswer } from '../../ui/NoAnswer.js';
import { Page } from '../../ui/Page.js';
import { StaleNotice } from '../../ui/StaleNotice.js';
import { describeKey, isNameMadeUnique } from './project-name.js';
import { projectsQuery } from './projects-query.js';

export function ProjectsPage() {
  const [filterText, setFilterText] = useState('');
  const [order, setOrder] = useState<Order>('activity');
  const query = useQuery(projectsQuery());
  useRefresh('listProjects', ({ type }) => type === 'observation-created' || type === 'memory-forgotten');
  const { data } = query;
  if (data === undefined)
    return (
      <Page title="Projects" isWide>
        <NoAnswer query={query} />
      </Page>
    );
  const shown = sorted(
    data.items.filter((project) => matchesFilter(project, filterText)),
    order,
  );
  return (
    <Page
      title="Projects"
      isWide
      about={
        data.items.some(isNameMadeUnique) &&
        'For projects with the same folder name, the parent folders are shown in brackets. Each path is a separate project.'
      }
    >
      <StaleNotice query={query} />
      {data.items.length === 0 ? (
        <EmptyState icon={FolderGit2} title="No projects yet">
          A project is the repository or folder that a session works in. Run{' '}
          <Command>install --host claude-code</Command>, work a little, and it is listed here.
        </EmptyState>
      ) : (
        <>
          {data.items.length > MAX_WITHOUT_FILTER && (
            <input
              className="short"
              type="search"
              placeholder="Name or path"
              aria-label="Filter projects by name or path"
              value={filterText}
              onChange={(event) => setFilterText(event.target.value)}
            />
          )}
          <table className="table framed">
            <caption className="visually-hidden">Projects</caption>
            <thead>
              <tr>
                <Heading of="name" order={order} onOrder={setOrder}>
                  Project
                </Heading>
                <Heading of="observations" order={order} onOrder={setOrder}>
                  Observations
                </Heading>
                <th scope="col" className="not-narrow">
                  30 days
                </th>
                <Heading of="activity" order={order} onOrder={setOrder}>
                  Last activity
                </Heading>
              </tr>
            </thead>
            <tbody>
              {shown.map((project) => (
                <tr key={project.id}>
                  <th scope="row">
                    <Link to="/projects/$id" params={{ id: project.id }} className="strong">
                      {project.name}
                    </Link>
                    <div className="muted tiny mono">{describeKey(project)}</div>
                  </th>
                  <td>{formatCount(project.observations)}</td>
                  <td className="not-narrow">
                    <Sparkline values={project.activity} label={describeActivity(project.activity)} />
                  </td>
                  <td>
                    {project.lastActivityEpoch === null ? '–' : <Ago epoch={project.lastActivityEpoch} />}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
          {shown.length === 0 && <p role="status">No project has “{filterText}” in its name or path.</p>}
        </>
      )}
    </Page>
  );
}

const MAX_WITHOUT_FILTER = 8;

type Order = 'name' | 'observations' | 'activity';

function Heading({
  of,
  order,
  onOrder,
  children,
}: {
  of: Order;
  order: Order;
  onOrder: (order: Order) => void;
  children: string;
}) {
  const direction = of === 'name' ? 'ascending' : 'descending';
  return (
    <th scope="col" aria-sort={order === of ? direction : 'none'}>
      <button type="button" onClick={() => onOrder(of)}>
        {children}
        <span aria-hidden>{order === of && (of === 'name' ? ' ↑' : ' ↓')}</span>
      </button>
    </th>
  );
}

function sorted(projects: ProjectRow[], order: Order): ProjectRow[] {
  const by = {
    name: (a: ProjectRow, b: ProjectRow) => a.name.localeCompare(b.name),
    observations: (a: ProjectRow, b: ProjectRow) => b.observations - a.observations,
    activity: (a: ProjectRow, b: ProjectRow) => (b.lastActivityEpoch ?? 0) - (a.lastActivityEpoch ?? 0),
  };
  return projects.toSorted(by[order]);
}

function describeActivity(activity: readonly number[]): string {
  const sum = activity.reduce((total, count) => total + count, 0);
  return `${counted(sum, 'observation')} in the last ${activity.length} days`;
}

function matchesFilter({ name, key }: ProjectRow, filterText: string): boolean {
  const words = filterText.trim().toLocaleLowerCase();
  return `${name}\n${key}`.toLocaleLowerCase().includes(words);
}
