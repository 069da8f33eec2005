import {
  FILE_HISTORY_TOKENS,
  NO_ROOM,
  RECALL_TOKENS,
  type SessionContext as RenderedContext,
} from '@claude-mem/context-render';
import type { SearchRequest } from '@claude-mem/search';
import type { SearchQuery } from '@claude-mem/worker-protocol';
import type { Settings } from '@claude-mem/settings';
import type { FastifyInstance } from 'fastify';
import type { ContextDelivery } from '@claude-mem/capture';
import type { FoundProject, ProjectFinder } from '@claude-mem/core';
import type { LiveSettings } from '../../lifecycle/create-live-settings.js';
import type { NeedMemory } from '../../open-memory.js';
import { WorkerError } from '../../worker-error.js';
import { answerSearch } from '../answer-search.js';
import { bindRoute } from '../bind-route.js';
import { labelItems } from '../label-items.js';
import { describeEntries, applyRequestedSettings } from '../context-preview.js';
import { toFilter, wordsOf } from '../to-filter.js';

const NOTHING: RenderedContext = { text: '', tokens: 0, shown: [], skipped: [] };

/** Routes for search, the timeline, and previews of injected context. */
export async function retrievalRoutes(
  app: FastifyInstance,
  { memory, findProject, live }: { memory: NeedMemory; findProject: ProjectFinder; live: LiveSettings },
): Promise<void> {
  bindRoute(app, 'search', async ({ query = {} }) => {
    const { searching, store, freshness } = memory();
    const searched = await searching.memory();
    return answerSearch(toRequest(query, live.current()), {
      kind: query.kind ?? 'observations',
      hasFacets: isYes(query.facets),
      searched,
      store,
      freshness,
    });
  });

  bindRoute(app, 'timeline', async ({ query = {} }) => {
    const { anchor, query: words, before, after, project } = query;
    const isOne = (anchor === undefined) !== (words === undefined);
    if (!isOne) throw new WorkerError('worker/bad-request', 'Use either anchor or query.');
    const { searching, freshness } = memory();
    const searched = await searching.memory();
    const { entries, anchorIndex, degraded } = await searched.timeline({
      anchor: anchor ?? { query: words ?? '' },
      ...(before === undefined ? {} : { before }),
      ...(after === undefined ? {} : { after }),
      ...(project === undefined ? {} : { project }),
    });
    return { items: await labelItems(entries, freshness), anchorIndex, degraded, nextCursor: null };
  });

  bindRoute(app, 'previewContext', async ({ query }) => {
    const { cwd = null, prompt, file, host, reader, settings, timeZone } = query ?? {};
    if (prompt !== undefined && file !== undefined)
      throw new WorkerError('worker/bad-request', 'Use either prompt or file.');
    // A user who has just changed a setting expects to see its effect.
    live.refresh();
    const requested = applyRequestedSettings(live.current(), settings);
    const found = findProject({ projectDir: null, cwd });
    const { contextDelivery, store, relocation } = memory();
    await relocation.follow(found);
    const part = prompt !== undefined ? 'prompt' : file !== undefined ? 'file' : 'start';
    const previews = {
      start: () =>
        previewStart(contextDelivery, found, {
          host,
          hasTools: reader === 'mcp',
          settings: requested,
          timeZone,
        }),
      prompt: () => previewPrompt(contextDelivery, { found, prompt: prompt ?? '', timeZone }),
      file: () => previewFile(contextDelivery, { found, cwd, path: file ?? '', timeZone }),
    };
    const { key, name } = found.project ?? { key: '', name: '' };
    const {
      rendered,
      total,
      reason,
      statements = 0,
    } = found.isExcluded ? nothing(null) : await previews[part]();
    const { text, tokens } = rendered;
    const message = found.project === null || total > 0 ? null : await relocation.messageFor(found.project);
    return {
      project: { key, name },
      text,
      tokens,
      maxTokens: { start: requested.contextTokens, prompt: RECALL_TOKENS, file: FILE_HISTORY_TOKENS }[part],
      ...(await describeEntries(rendered, store)),
      statements,
      total,
      offReason: offReason(part, { found, settings: requested }),
      reason: message === null ? reason : [reason, message].filter((part) => part !== null).join(' '),
    };
  });
}

/** The reasons for or against each injection. */
const SWITCHES = {
  start: ['contextEnabled', 'CLAUDE_MEM_CONTEXT_ENABLED'],
  prompt: ['recallOnPrompt', 'CLAUDE_MEM_RECALL_ON_PROMPT'],
  file: ['fileHistory', 'CLAUDE_MEM_FILE_HISTORY'],
} as const;

function offReason(
  part: keyof typeof SWITCHES,
  { found, settings }: { found: FoundProject; settings: Settings },
): string | null {
  const [property, key] = SWITCHES[part];
  if (found.isExcluded) return 'CLAUDE_MEM_EXCLUDED_PROJECTS names this folder';
  if (!settings.enabled) return 'CLAUDE_MEM_ENABLED is off';
  return settings[property] ? null : `${key} is off`;
}

interface Preview {
  rendered: RenderedContext;
  /** Number of candidates. */
  total: number;
  reason: string | null;
  /** Number of conversation statements in the text. @default 0 */
  statements?: number;
}

const nothing = (reason: string | null): Preview => ({ rendered: NOTHING, total: 0, reason });

const UNKNOWN_PROJECT = 'The memory has no records of this project.';

async function previewStart(
  { context }: ContextDelivery,
  found: FoundProject,
  options: Parameters<ContextDelivery['context']['preview']>[1],
): Promise<Preview> {
  const rendered = await context.preview(found, options);
  if (rendered === null) return nothing(UNKNOWN_PROJECT);
  const { text, total, skipped } = rendered;
  if (text === '' && total === 0) return nothing(UNKNOWN_PROJECT);
  const isTooSmall = text === '' && skipped.some(({ reason }) => reason === NO_ROOM);
  return { rendered, total, reason: isTooSmall ? 'CLAUDE_MEM_CONTEXT_TOKENS leaves no room.' : null };
}

async function previewPrompt(
  { recall }: ContextDelivery,
  {
    found: { project, root },
    prompt,
    timeZone,
  }: { found: FoundProject; prompt: string; timeZone: string | undefined },
): Promise<Preview> {
  if (project === null) return nothing('No project was named.');
  const { rendered, reason } = await recall.preview(prompt, { project, root, timeZone });
  const { shown, skipped, statements } = rendered;
  return { rendered, total: shown.length + skipped.length, reason, statements };
}

async function previewFile(
  { history }: ContextDelivery,
  file: { found: FoundProject; cwd: string | null; path: string; timeZone: string | undefined },
): Promise<Preview> {
  const rendered = await history.preview(file);
  if (rendered === null) return nothing('The file is not in the project.');
  const total = rendered.shown.length + rendered.skipped.length;
  return {
    rendered,
    total,
    reason: total === 0 ? `No record names the path ${file.path} in this project.` : null,
  };
}

function toRequest(
  query: SearchQuery,
  { semanticWindowDays }: { semanticWindowDays: number },
): SearchRequest {
  const { query: words, syntax, limit, offset, orderBy, contextFiles, explain, complete, prefix } = query;
  return {
    semanticWindowDays: query.semanticWindowDays ?? semanticWindowDays,
    ...toFilter(query),
    ...(words === undefined ? {} : { query: words }),
    ...(syntax === undefined ? {} : { syntax }),
    ...(limit === undefined ? {} : { limit }),
    ...(offset === undefined ? {} : { offset }),
    ...(orderBy === undefined ? {} : { orderBy }),
    ...(contextFiles === undefined ? {} : { contextFiles: wordsOf(contextFiles) }),
    explain: isYes(explain),
    complete: isYes(complete),
    prefix: isYes(prefix),
  };
}

const isYes = (flag: string | undefined) => flag === 'true' || flag === '1';
