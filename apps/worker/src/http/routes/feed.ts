import type { FeedFilter } from '@claude-mem/search';
import { FEED_KINDS, type FacetsQuery } from '@claude-mem/worker-protocol';
import type { FastifyInstance } from 'fastify';
import type { NeedMemory } from '../../open-memory.js';
import { bindRoute } from '../bind-route.js';
import { labelItems } from '../label-items.js';
import { someOf, toFilter } from '../to-filter.js';

/** Routes for the feed and its facets. */
export async function feedRoutes(app: FastifyInstance, { memory }: { memory: NeedMemory }): Promise<void> {
  bindRoute(app, 'feed', async ({ query = {} }) => {
    const { order, limit, cursor } = query;
    const { searching, freshness } = memory();
    const searched = await searching.memory();
    const { items, nextCursor } = await searched.feed({
      ...toFeedFilter(query),
      ...(order === undefined ? {} : { order }),
      ...(limit === undefined ? {} : { limit }),
      ...(cursor === undefined ? {} : { cursor }),
    });
    return { items: await labelItems(items, freshness), nextCursor };
  });

  bindRoute(app, 'facets', async ({ query = {} }) => {
    const { fileText } = query;
    const searched = await memory().searching.memory();
    const { total, projects, hosts, kinds, types, concepts, files } = await searched.facets({
      ...toFeedFilter(query),
      ...(fileText === undefined ? {} : { fileText }),
    });
    return {
      total,
      projects: [...projects],
      hosts: [...hosts],
      kinds: FEED_KINDS.flatMap((kind) => kinds.find(({ value }) => value === kind) ?? []),
      types: [...types],
      concepts: [...concepts],
      files: files.map(({ value, count, project }) => ({ value, count, project })),
    };
  });
}

function toFeedFilter(query: FacetsQuery): FeedFilter {
  const kinds = someOf(query.kind);
  return {
    ...toFilter(query),
    ...(kinds.length > 0 && { kinds }),
  };
}
