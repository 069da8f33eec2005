import {
  NEUTRAL_PROJECT,
  type Clock,
  type ProjectRef,
  type SessionStarted,
  type Store,
} from '@claude-mem/core';
import { renderSessionContext, type SessionContext as RenderedContext } from '@claude-mem/context-render';
import type { Settings } from '@claude-mem/settings';

export interface SessionContext {
  /** What a starting session is given; '' for nothing. */
  textFor(start: {
    source: SessionStarted['source'];
    outcome: { result: { projectId: number }; found: { project: ProjectRef | null } };
  }): Promise<string>;
  /** The same for a project, with what was left out; null when nothing is known of it. */
  preview(project: ProjectRef): Promise<RenderedContext | null>;
}

/** How much the text is chosen from; it shows far less. */
const OBSERVATIONS = 200;
const SUMMARIES = 10;

/** Renders what a new session in a project should know. A resumed session still has its context: it gets none again. */
export function createSessionContext({
  store,
  settings,
  launcher,
  clock,
}: {
  store: Store;
  settings: () => Settings;
  /** The command as an agent can run it. */
  launcher: string;
  clock: Clock;
}): SessionContext {
  const command = /^[\w/.-]+$/.test(launcher) ? launcher : `'${launcher.replaceAll("'", `'\\''`)}'`;
  const render = async (projectId: number) => {
    const [project, material] = await Promise.all([
      store.getProject(projectId),
      store.contextMaterial({ projectId, observations: OBSERVATIONS, summaries: SUMMARIES }),
    ]);
    return renderSessionContext({
      project: project?.name ?? NEUTRAL_PROJECT.name,
      material,
      now: clock.now(),
      timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
      maxTokens: settings().contextTokens,
      howToReadMore: `Whole record: \`${command} show ID\`. Search: \`${command} search WORDS\`.`,
    });
  };
  return {
    async textFor({ source, outcome }) {
      const { project } = outcome.found;
      if (!settings().contextEnabled || source === 'resume' || project === null) return '';
      return (await render(outcome.result.projectId)).text;
    },
    async preview(project) {
      const known = await store.findProject(project.key);
      return known === null ? null : render(known.id);
    },
  };
}
