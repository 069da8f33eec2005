import type { Observation, UserPrompt } from '@claude-mem/core';
import type { FoundSession, SearchAnswer, SearchRequest } from '@claude-mem/search';
import { MAX_OFFSET, type FoundItem, type SearchQuery, type SearchReply } from '@claude-mem/worker-protocol';
import type { FastifyInstance } from 'fastify';
import type { ProjectFinder } from '../../capture/create-project-finder.js';
import type { LiveSettings } from '../../lifecycle/create-live-settings.js';
import type { NeedMemory } from '../../open-memory.js';
import { WorkerError } from '../../worker-error.js';
import { bindRoute } from '../bind-route.js';
import { toFilter, wordsOf } from '../to-filter.js';

const NOTHING = { text: '', tokens: 0, shown: [], leftOut: [] };
const DEFAULT_LIMIT = 20;

/** Giving it back: search, timeline, and what a session would be told. */
export async function retrievalRoutes(
  app: FastifyInstance,
  { memory, findProject, live }: { memory: NeedMemory; findProject: ProjectFinder; live: LiveSettings },
): Promise<void> {
  bindRoute(app, 'search', async ({ query = {} }) => {
    const searched = await memory().searching.memory();
    const request = toRequest(query, live.current());
    const { limit = DEFAULT_LIMIT, offset = 0 } = request;
    const reply = await answer(query.kind ?? 'observations', request);
    const { hasMore, ...rest } = reply;
    const next = offset + limit;
    return { ...rest, nextCursor: hasMore && next <= MAX_OFFSET ? String(next) : null };

    async function answer(kind: NonNullable<SearchQuery['kind']>, request: SearchRequest): Promise<Found> {
      switch (kind) {
        case 'observations':
          return labelled('observation', await searched.search(request));
        case 'sessions':
          return labelled('session', await searched.searchSessions(request));
        case 'prompts':
          return labelled('prompt', await searched.searchUserPrompts(request));
        case 'all': {
          const found = await searched.advancedSearch(request);
          const parts = [
            labelled('observation', found.observations),
            labelled('session', found.sessions),
            labelled('prompt', found.prompts),
          ] as const;
          return {
            items: parts.flatMap(({ items }) => items),
            strategy: parts[0].strategy,
            degraded: distinct(parts.flatMap(({ degraded }) => degraded)),
            hasMore: parts.some(({ hasMore }) => hasMore),
          };
        }
      }
    }
  });

  bindRoute(app, 'timeline', async ({ query = {} }) => {
    const { anchor, query: words, before, after, project } = query;
    const isOne = (anchor === undefined) !== (words === undefined);
    if (!isOne) throw new WorkerError('worker/bad-request', 'Give either anchor or query.');
    const searched = await memory().searching.memory();
    const { entries, anchorIndex, degraded } = await searched.timeline({
      anchor: anchor ?? { query: words ?? '' },
      ...(before === undefined ? {} : { before }),
      ...(after === undefined ? {} : { after }),
      ...(project === undefined ? {} : { project }),
    });
    return { items: [...entries], anchorIndex, degraded, nextCursor: null };
  });

  bindRoute(app, 'previewContext', async ({ query }) => {
    const { context } = memory();
    const found = findProject({ projectDir: null, cwd: query?.cwd ?? null });
    const project = found.project ?? { key: '', name: '' };
    const isKnown = found.project !== null && !found.isExcluded;
    const rendered = (isKnown ? await context.preview(project) : null) ?? NOTHING;
    const { text, tokens, shown, leftOut } = rendered;
    return {
      project: { key: project.key, name: project.name },
      text,
      tokens,
      shown: [...shown],
      leftOut: [...leftOut],
    };
  });
}

type Found = Omit<SearchReply, 'nextCursor'> & { hasMore: boolean };

function labelled(
  kind: FoundItem['kind'],
  { items, ...rest }: SearchAnswer<Observation> | SearchAnswer<FoundSession> | SearchAnswer<UserPrompt>,
): Found {
  return { ...rest, items: items.map((hit) => ({ kind, ...hit }) as FoundItem) };
}

function distinct(degraded: Found['degraded']): Found['degraded'] {
  return [...new Map(degraded.map((one) => [`${one.part} ${one.reason}`, one])).values()];
}

function toRequest(
  query: SearchQuery,
  { semanticWindowDays }: { semanticWindowDays: number },
): SearchRequest {
  const { query: words, syntax, limit, offset, orderBy, contextFiles, explain, complete } = query;
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
  };
}

const isYes = (flag: string | undefined) => flag === 'true' || flag === '1';
