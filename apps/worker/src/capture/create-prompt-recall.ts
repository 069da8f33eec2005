import { shellWord, type Clock, type ProjectRef, type PromptSubmitted, type Store } from '@claude-mem/core';
import { renderRecall, type SessionContext as RenderedContext } from '@claude-mem/context-render';
import type { Memory } from '@claude-mem/search';
import type { Settings } from '@claude-mem/settings';
import type { SessionLedger } from './create-session-ledger.js';
import { textOptions } from './text-options.js';

export interface PromptRecall {
  /** The few memories that fit a prompt and that its session does not have; '' for none. */
  textFor(
    prompt: PromptSubmitted,
    options: { project: ProjectRef; sessionId: number; promptNumber: number; signal: AbortSignal },
  ): Promise<string>;
  /** The same for anyone, with why these or why nothing. */
  preview(
    prompt: string,
    options: { project: ProjectRef; timeZone?: string | undefined },
  ): Promise<{ rendered: RenderedContext; reason: string }>;
}

/** What is asked for; fewer are shown where they do not fit. */
const MOST = 5;

/** Loaded by the first prompt that asks: this is off by default, and search is large. */
const loadRecall = async () => (await import('@claude-mem/search')).recall;

/** Looks up what fits a prompt, behind the floor of relevance of search: mostly nothing. */
export function createPromptRecall({
  memory,
  store,
  settings,
  ledger,
  launcher,
  clock,
}: {
  memory(): Promise<Pick<Memory, 'search'>>;
  store: Pick<Store, 'turnPrompts'>;
  settings: () => Settings;
  ledger: SessionLedger;
  launcher: string;
  clock: Clock;
}): PromptRecall {
  const render = (
    project: ProjectRef,
    observations: Parameters<typeof renderRecall>[0]['observations'],
    timeZone?: string,
  ) =>
    renderRecall({
      project: project.name,
      observations,
      ...textOptions(settings(), clock, timeZone),
      howToReadMore: `Whole record: \`${shellWord(launcher)} show ID\`.`,
    });

  return {
    async textFor(event, { project, sessionId, promptNumber, signal }) {
      const { enabled, recallOnPrompt } = settings();
      if (!enabled || !recallOnPrompt || event.agentId !== null) return '';
      const since = ledger.historySince(event);
      const recall = await loadRecall();
      const [opening] = promptNumber > 1 ? await store.turnPrompts(sessionId, 1) : [];
      const { hits } = await recall(await memory(), {
        prompt: event.text,
        ...(opening && { opening: opening.promptText }),
        project: project.key,
        exclude: [...ledger.providedIds(event)],
        knows: (record) => record.sessionId === sessionId && record.createdAtEpoch >= since,
        limit: MOST,
        signal,
      });
      signal.throwIfAborted();
      const { text, shown } = render(
        project,
        hits.map(({ item }) => item),
      );
      ledger.markProvided(event, { ids: shown });
      return text;
    },
    async preview(prompt, { project, timeZone }) {
      const recall = await loadRecall();
      const { hits, reason } = await recall(await memory(), { prompt, project: project.key, limit: MOST });
      const rendered = render(
        project,
        hits.map(({ item }) => item),
        timeZone,
      );
      return { rendered, reason };
    },
  };
}
