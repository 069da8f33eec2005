import {
  shellWord,
  type Clock,
  type Observation,
  type ProjectRef,
  type PromptSubmitted,
  type Store,
} from '@claude-mem/core';
import { renderRecall, STATEMENT_TOKENS, type RecallContext } from '@claude-mem/context-render';
import type { Memory, Recalled } from '@claude-mem/search';
import type { Settings } from '@claude-mem/settings';
import { isInjectable, staleLast } from './stale-records.js';
import type { Freshness } from '@claude-mem/freshness';
import type { InjectedText } from './create-injection-log.js';
import type { SessionLedger } from './create-session-ledger.js';
import { recallConversations, type RecalledConversation } from './recall-conversations.js';
import { renderOptions } from './render-options.js';

/** Finds the records that match a prompt. */
export interface PromptRecall {
  /** Returns the matching records that the session does not contain yet; null when there are none. */
  injectionFor(
    prompt: PromptSubmitted,
    options: {
      project: ProjectRef;
      /** The checkout in which the session works. */
      root: string | null;
      sessionId: number;
      promptNumber: number;
      signal: AbortSignal;
    },
  ): Promise<InjectedText | null>;
  /** Returns the matching records and the reason for the selection, without considering a session. */
  preview(
    prompt: string,
    options: { project: ProjectRef; root: string | null; timeZone?: string | undefined },
  ): Promise<{ rendered: RecallContext; reason: string }>;
}

/** Maximum number of records, not counting conversations. */
const MAX_RECORDS = 5;
/** Number of records to request. Conversation records and records of deleted files are removed from the result. */
const REQUESTED = 10;

/** This import is lazy, because search is large and the worker must start quickly. */
const loadRecall = async () => (await import('@claude-mem/search')).recall;

/** Finds the records whose relevance to a prompt is high enough. Most prompts have none. */
export function createPromptRecall({
  memory,
  store,
  freshness,
  settings,
  ledger,
  launcher,
  clock,
}: {
  memory(): Promise<Pick<Memory, 'search' | 'searchUserPrompts'>>;
  store: Pick<Store, 'turnPrompts' | 'conversation' | 'currentConversations'>;
  freshness: Pick<Freshness, 'label'>;
  settings: () => Settings;
  ledger: SessionLedger;
  launcher: string;
  clock: Clock;
}): PromptRecall {
  const render = (
    project: ProjectRef,
    found: Pick<Parameters<typeof renderRecall>[0], 'observations' | 'conversations'>,
    timeZone?: string,
  ) =>
    renderRecall({
      project: project.name,
      ...found,
      ...renderOptions(settings(), clock, timeZone),
      howToReadMore: `Complete record: \`${shellWord(launcher)} show ID\`.`,
    });

  /** Records of deleted files are injected only if the prompt names one of these files. */
  const injectable = async (
    recalled: Recalled,
    { prompt, root }: { prompt: string; root: string | null },
  ) => {
    const labelled = await freshness.label(await otherRecords(store, recalled), { root });
    return staleLast(labelled.filter((record) => isInjectable(record, prompt)).slice(0, MAX_RECORDS));
  };

  return {
    async injectionFor(event, { project, root, sessionId, promptNumber, signal }) {
      const { enabled, recallOnPrompt } = settings();
      if (!enabled || !recallOnPrompt || event.agentId !== null) return null;
      const since = ledger.historySince(event);
      const recall = await loadRecall();
      const [opening] = promptNumber > 1 ? await store.turnPrompts(sessionId, 1) : [];
      const opened = await memory();
      const conversations = await recallConversations(
        { memory: opened, store },
        {
          prompt: event.text,
          project,
          sessionId,
          exclude: ledger.providedConversations(event),
          tokens: STATEMENT_TOKENS,
          signal,
        },
      );
      const recalled = await recall(opened, {
        prompt: event.text,
        ...(opening && { opening: opening.promptText }),
        project: project.key,
        exclude: [...ledger.providedIds(event), ...recordIds(conversations)],
        knows: (record) => record.sessionId === sessionId && record.createdAtEpoch >= since,
        limit: REQUESTED,
        signal,
      });
      signal.throwIfAborted();
      const observations = await injectable(recalled, { prompt: event.text, root });
      const { text, tokens, shown: listed } = render(project, { observations, conversations });
      const shown = [...recordIds(conversations), ...listed];
      ledger.markProvided(event, {
        ids: shown,
        conversations: conversations.map((one) => one.sessionId),
      });
      const withoutRecord = conversations.filter(({ record }) => record === null).length;
      return text === '' ? null : { text, tokens, shown, conversations: withoutRecord };
    },
    async preview(prompt, { project, root, timeZone }) {
      const recall = await loadRecall();
      const opened = await memory();
      const conversations = await recallConversations(
        { memory: opened, store },
        { prompt, project, tokens: STATEMENT_TOKENS },
      );
      const exclude = recordIds(conversations);
      const recalled = await recall(opened, { prompt, project: project.key, exclude, limit: REQUESTED });
      const observations = await injectable(recalled, { prompt, root });
      const rendered = render(project, { observations, conversations }, timeZone);
      const hasOnlyStatements = conversations.length > 0 && observations.length === 0;
      return { rendered, reason: hasOnlyStatements ? STATEMENTS_ONLY : recalled.reason };
    },
  };
}

const STATEMENTS_ONLY = 'An earlier conversation has the same subject as the prompt.';

/**
 * Excludes conversation records that no user edited, because their statements are injected instead. An edited record
 * may have lost its facts, so it is listed like other records.
 */
async function otherRecords(
  store: Pick<Store, 'currentConversations'>,
  { hits }: Recalled,
): Promise<readonly Observation[]> {
  const items = hits.map(({ item }) => item);
  const known = await store.currentConversations([...new Set(items.map(({ sessionId }) => sessionId))]);
  const ids = new Set(known.flatMap(({ record, isUnchanged }) => (isUnchanged ? [record?.id] : [])));
  return items.filter(({ id }) => !ids.has(id));
}

const recordIds = (conversations: readonly RecalledConversation[]): number[] =>
  conversations.flatMap(({ record }) => (record === null ? [] : [record.id]));
