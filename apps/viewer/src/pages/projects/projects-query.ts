import { queryOptions } from '@tanstack/react-query';
import { worker } from '../../api/worker.js';

/** Every project with how much it holds; its days are those of this browser. */
export function projectsQuery() {
  const query = { utcOffset: utcOffset() };
  return queryOptions({
    queryKey: ['listProjects', query],
    queryFn: ({ signal }) => worker.listProjects({ query }, { signal }),
  });
}

/** One project over the last so many days. */
export function projectQuery(id: number, days: number) {
  const query = { days, utcOffset: utcOffset() };
  return queryOptions({
    queryKey: ['projectDetail', { id, ...query }],
    queryFn: ({ signal }) => worker.projectDetail({ params: { id }, query }, { signal }),
    // another range of the same project: what is drawn stays until the answer is there
    placeholderData: (data, before) => (isOf(before?.queryKey, id) ? data : undefined),
  });
}

/** Minutes that this browser's clock is ahead of UTC. */
const utcOffset = () => -new Date().getTimezoneOffset();

const isOf = (key: readonly unknown[] | undefined, id: number) =>
  (key?.[1] as { id?: number } | undefined)?.id === id;
