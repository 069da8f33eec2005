import { HOST_NAMES, NEUTRAL_PROJECT, type HostName } from '@claude-mem/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { ListTree } from 'lucide-react';
import { useSyncExternalStore } from 'react';
import { changesOf } from '../../settings-form/entered-settings.js';
import { settingsQuery, type SettingItem } from '../../settings-form/settings-query.js';
import { EmptyState } from '../../ui/EmptyState.js';
import { Failure } from '../../ui/Failure.js';
import { NoAnswer } from '../../ui/NoAnswer.js';
import { Page } from '../../ui/Page.js';
import { StaleNotice } from '../../ui/StaleNotice.js';
import { projectsQuery } from '../projects/projects-query.js';
import { contextDraft } from './context-draft.js';
import { ContextFiles } from './ContextFiles.js';
import { ContextQuestionForm } from './ContextQuestionForm.js';
import { ContextSettings } from './ContextSettings.js';
import { MOMENTS, SETTING_KEYS, type Moment } from './context-question.js';
import { PreviewParts } from './PreviewParts.js';

const route = getRouteApi('/context');
const ABOUT = 'Preview of the injected context, and its settings.';

/** Shows exactly what would be injected in a project. Settings can be tried before they are saved. */
export function ContextPage() {
  const search = route.useSearch();
  const navigate = useNavigate({ from: '/context' });
  const projects = useQuery(projectsQuery());
  const settings = useQuery(settingsQuery);
  const draft = useSyncExternalStore(contextDraft.watch, contextDraft.current);

  if (projects.data === undefined)
    return (
      <Page title="Context" about={ABOUT}>
        <NoAnswer query={projects} />
      </Page>
    );
  const known = projects.data.items
    .filter(({ key }) => key !== NEUTRAL_PROJECT.key)
    .toSorted((a, b) => (b.lastActivityEpoch ?? 0) - (a.lastActivityEpoch ?? 0));
  const cwd = search.cwd ?? known[0]?.key;
  if (cwd === undefined)
    return (
      <Page title="Context" about={ABOUT}>
        <EmptyContext />
      </Page>
    );

  const moment = MOMENTS.find((one) => one === search.moment) ?? 'start';
  const items = settings.data?.items.filter(({ group }) => group === 'Context') ?? [];
  const isFirst = ({ key }: SettingItem) => Number(key === SETTING_KEYS[moment]);
  const { changes, problems } = changesOf(items, draft.settings);
  const requestedSettings = Object.keys(changes).length === 0 ? '' : JSON.stringify(changes);
  const host = HOST_NAMES.find((one) => one === search.host) ?? 'claude-code';
  const choose = (choice: { cwd?: string; moment?: Moment; host?: HostName }) => {
    if (choice.cwd !== undefined) contextDraft.change({ file: '' });
    void navigate({ search: (now) => ({ ...now, ...choice }), replace: true });
  };
  return (
    <Page title="Context" about={ABOUT} isWide>
      <StaleNotice query={projects} />
      <ContextQuestionForm
        projects={known}
        question={{ cwd, moment, host, prompt: draft.prompt, file: draft.file }}
        onChoose={choose}
      />
      <PreviewParts
        key={JSON.stringify([cwd, moment])}
        question={{ cwd, moment, host, prompt: draft.prompt, file: draft.file, requestedSettings }}
      >
        {settings.data === undefined ? (
          settings.isError && <Failure error={settings.error} onRetry={() => void settings.refetch()} />
        ) : (
          <ContextSettings
            items={items.toSorted((a, b) => isFirst(b) - isFirst(a))}
            entered={draft.settings}
            changes={changes}
            problems={problems}
          />
        )}
      </PreviewParts>
      <ContextFiles key={cwd} cwd={cwd} />
    </Page>
  );
}

function EmptyContext() {
  return (
    <EmptyState icon={ListTree} title="Nothing to inject yet">
      This page shows the exact text that an agent gets at the start of a session, with a prompt, or when a
      file is read. To create records, start your agent in a project and let it read or edit a file. The
      records appear in the <Link to="/">feed</Link> when the turn ends.
    </EmptyState>
  );
}
