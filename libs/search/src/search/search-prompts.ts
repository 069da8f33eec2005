import type { UserPrompt } from '@claude-mem/core';
import type { RecordFilter } from '@claude-mem/lexical-index';
import type { SearchAnswer } from '../memory.js';
import type { OpenParts } from './open-parts.js';
import { byWords, newest, ordered, orSyntax, poolOf, scoreQuery, type Ranking } from './ranking.js';
import type { ReadRequest } from './read-request.js';
import { resolveFilter } from './resolve-filter.js';

/** Prompts have no vectors, so their search is lexical only. */
export async function searchPrompts(
  parts: OpenParts,
  request: ReadRequest,
): Promise<SearchAnswer<UserPrompt>> {
  const filter = await resolveFilter(parts, request, ['prompt']);
  if (!filter)
    return { items: [], strategy: request.query ? 'lexical' : 'filters', degraded: [], hasMore: false };
  const { ids, ranked, strategy, degraded } = await rank(parts, request, filter);
  const { offset, limit } = request;
  const page = ids.slice(offset, offset + limit);
  const found = new Map((await parts.store.promptsByIds(page)).map((prompt) => [prompt.id, prompt]));
  const sessionIds = [...new Set([...found.values()].map(({ sessionId }) => sessionId))];
  const sessions = new Map((await parts.store.sessionsByIds(sessionIds)).map((one) => [one.id, one]));
  const names = await parts.projects.names();
  const items = page.flatMap((id) => {
    const item = found.get(id);
    const session = item && sessions.get(item.sessionId);
    if (!session) return [];
    const { score = 0, parts: shown = [], evidence } = ranked.get(id) ?? {};
    const { projectId, host } = session;
    const project = names.get(projectId) ?? '';
    return [
      { item, project, host, score, ...(request.explain && { parts: shown }), ...(evidence && { evidence }) },
    ];
  });
  return { items, strategy, degraded, hasMore: ids.length > offset + limit };
}

function rank(
  { lexical }: OpenParts,
  request: ReadRequest,
  filter: RecordFilter,
): Promise<Ranking> | Ranking {
  if (request.query === '') return lexical.read((reader) => newest(reader, request, filter));
  return orSyntax(lexical, request, filter, 'prompt', () =>
    lexical.read((reader) => {
      const words = scoreQuery(reader, request);
      const best = words.best({ within: reader.within(filter), limit: poolOf(request) });
      const found = best.map((one) => ({
        ...byWords(one),
        evidence: () => ({ words: words.matched(one.slot) }),
      }));
      return { ...ordered(reader, request, filter, found), strategy: 'lexical' };
    }),
  );
}
