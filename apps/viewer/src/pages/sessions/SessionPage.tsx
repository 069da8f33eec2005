import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { MessagesSquare, Trash2 } from 'lucide-react';
import type { SessionDetail } from '@claude-mem/worker-protocol';
import { isMissing } from '../../api/query-client.js';
import { counted } from '../../format/counted.js';
import { CountBars } from '../../plots/CountBars.js';
import { recordActions } from '../../records/record-actions.js';
import { Button } from '../../ui/Button.js';
import { Card } from '../../ui/Card.js';
import { EmptyState } from '../../ui/EmptyState.js';
import { NoAnswer } from '../../ui/NoAnswer.js';
import { Page } from '../../ui/Page.js';
import { StaleNotice } from '../../ui/StaleNotice.js';
import { WithOverview } from '../../ui/WithOverview.js';
import { latestSummaryQuery, sessionInjectionsQuery, sessionQuery } from './session-query.js';
import { sessionTitle } from './format-session.js';
import { InjectionList } from './InjectionList.js';
import { ObserverCost } from './ObserverCost.js';
import { SessionHead } from './SessionHead.js';
import { SummaryText } from './SummaryText.js';
import { TurnList } from './TurnList.js';
import { useLiveSession } from './use-live-session.js';

const route = getRouteApi('/sessions/$id');

/** One session: project, time, tools, cost, and the records of each turn. */
export function SessionPage() {
  const { id } = route.useParams();
  const query = useQuery(sessionQuery(id));
  const summary = useQuery(latestSummaryQuery(id)).data ?? null;
  const injections = useQuery(sessionInjectionsQuery(id)).data?.items ?? [];
  useLiveSession(id);
  const { data } = query;
  if (data === undefined)
    return (
      <Page title={`Session ${id}`}>{isMissing(query.error) ? <Gone /> : <NoAnswer query={query} />}</Page>
    );
  const { session, counts, toolUses } = data;
  const isEmpty = counts.prompts + counts.observations + counts.summaries === 0;
  return (
    <Page
      title={sessionTitle(session)}
      isWide
      about={[
        counted(counts.prompts, 'prompt'),
        counted(counts.observations, 'observation'),
        counted(counts.summaries, 'summary', 'summaries'),
      ].join(' · ')}
      actions={
        !isEmpty && (
          <Button onClick={() => recordActions.askToForgetSession(session)}>
            <Trash2 aria-hidden size={14} />
            Forget session
          </Button>
        )
      }
    >
      <StaleNotice query={query} />
      <WithOverview
        overview={
          <>
            <SessionHead detail={data} />
            <Card title="Tools used">
              <ToolUses toolUses={toolUses} />
            </Card>
            <ObserverCost detail={data} />
          </>
        }
      >
        {summary !== null && (
          <Card title={counts.summaries > 1 ? 'Latest summary' : 'Summary'}>
            <SummaryText summary={summary} />
          </Card>
        )}
        {injections.length > 0 && <InjectionList injections={injections} />}
        <TurnList session={session} waiting={data.queue.pending + data.queue.processing} />
      </WithOverview>
    </Page>
  );
}

function ToolUses({ toolUses }: Pick<SessionDetail, 'toolUses'>) {
  if (toolUses === null)
    return <p className="muted">Not known: tool uses were not counted when this session ran.</p>;
  if (toolUses.length === 0) return <p className="muted">None yet.</p>;
  const bars = toolUses.map(({ tool, count, failed }) => ({ name: tool, count, failed }));
  return <CountBars bars={bars} label="Uses by tool" />;
}

function Gone() {
  return (
    <EmptyState icon={MessagesSquare} title="There is no such session">
      It may have been forgotten. <Link to="/sessions">Go to all sessions</Link>
    </EmptyState>
  );
}
