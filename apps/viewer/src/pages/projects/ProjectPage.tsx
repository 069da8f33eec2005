import { NEUTRAL_PROJECT, type Project } from '@claude-mem/core';
import type { StreamEvent } from '@claude-mem/worker-protocol';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { FolderGit2, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { isMissing } from '../../api/query-client.js';
import { useRefresh } from '../../api/use-refresh.js';
import { Button } from '../../ui/Button.js';
import { EmptyState } from '../../ui/EmptyState.js';
import { NoAnswer } from '../../ui/NoAnswer.js';
import { onDemand } from '../../ui/on-demand.js';
import { Page } from '../../ui/Page.js';
import { StaleNotice } from '../../ui/StaleNotice.js';
import { ProjectActivity } from './ProjectActivity.js';
import { LatestSessions, NextSteps, PinnedRecords, TouchedFiles } from './ProjectParts.js';
import { describeKey, isNameMadeUnique } from './project-name.js';
import { projectQuery } from './projects-query.js';

const ForgetProjectDialog = onDemand(
  async () => (await import('./ForgetProjectDialog.js')).ForgetProjectDialog,
);

/** The event "memory-forgotten" does not name projects, so it can concern any project. */
function isAbout(event: StreamEvent, { id, name }: Project): boolean {
  if (event.type === 'memory-forgotten') return true;
  if (event.type === 'session-updated') return event.data.projectId === id;
  return 'project' in event.data && event.data.project === name;
}

const route = getRouteApi('/projects/$id');

/** One project: activity, next steps, pinned records, sessions and files. */
export function ProjectPage() {
  const { id } = route.useParams();
  const [days, setDays] = useState(90);
  const [isForgetting, setForgetting] = useState(false);
  const query = useQuery(projectQuery(id, days));
  const { data } = query;
  useRefresh('projectDetail', (event) => data !== undefined && isAbout(event, data.project));
  if (data === undefined)
    return (
      <Page title="Project">
        {isMissing(query.error) ? (
          <EmptyState icon={FolderGit2} title="There is no such project">
            It may have been forgotten. <Link to="/projects">Go to all projects</Link>
          </EmptyState>
        ) : (
          <NoAnswer query={query} />
        )}
      </Page>
    );
  const { project, counts } = data;
  const { key, name } = project;
  return (
    <Page
      title={name}
      isWide
      about={<code>{describeKey(project)}</code>}
      actions={
        <Button onClick={() => setForgetting(true)}>
          <Trash2 aria-hidden size={14} />
          Forget project
        </Button>
      }
    >
      <StaleNotice query={query} />
      {isNameMadeUnique(project) && (
        <p className="muted">
          Another project has a folder of the same name, so the folders above this one are part of its name.
        </p>
      )}
      <nav className="row gap-4" aria-label="This project elsewhere">
        <Link to="/" search={{ project: [name] }}>
          Feed
        </Link>
        <Link to="/search" search={{ q: '', project: [name] }}>
          Search
        </Link>
        <Link to="/sessions" search={{ project: [name] }}>
          Sessions
        </Link>
        <Link to="/files" search={{ path: '', project: name }}>
          Files
        </Link>
        {key !== NEUTRAL_PROJECT.key && (
          <Link to="/context" search={{ cwd: key }}>
            Context
          </Link>
        )}
      </nav>
      <ProjectActivity detail={data} days={days} onDays={setDays} isUpdating={query.isPlaceholderData} />
      <div className="columns">
        <div className="stack">
          <NextSteps nextSteps={data.nextSteps} />
          <PinnedRecords pinned={data.pinned} />
          <LatestSessions sessions={data.sessions} total={counts.sessions} project={name} />
        </div>
        <div className="stack">
          <TouchedFiles files={data.files} project={name} />
        </div>
      </div>
      {isForgetting && <ForgetProjectDialog project={project} onClose={() => setForgetting(false)} />}
    </Page>
  );
}
