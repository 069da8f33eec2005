import { queryOptions } from '@tanstack/react-query';
import { worker } from '../../api/worker.js';

/** Requests all projects with their counts. Days are in the time zone of this browser. */
export function projectsQuery() {
  const query = { utcOffset: utcOffset() };
  return queryOptions({
    queryKey: ['listProjects', query],
    queryFn: ({ signal }) => worker.listProjects({ query }, { signal }),
  });
}

/** Requests one project with its activity in the last `days` days. */
export function projectQuery(id: number, days: number) {
  const query = { days, utcOffset: utcOffset() };
  return queryOptions({
    queryKey: ['projectDetail', { id, ...query }],
    queryFn: ({ signal }) => worker.projectDetail({ params: { id }, query }, { signal }),
    // while another range of the same project loads, the previous one is shown
    placeholderData: (data, before) => (isOf(before?.queryKey, id) ? data : undefined),
  });
}

/** Minutes by which local time is ahead of UTC. */
const utcOffset = () => -new Date().getTimezoneOffset();

const isOf = (key: readonly unknown[] | undefined, id: number) =>
  (key?.[1] as { id?: number } | undefined)?.id === id;
