import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import { worker } from '../../api/worker.js';

export interface FileScope {
  path: string;
  /** Name of the project. Undefined for all projects. */
  project?: string;
}

/** Requests the files with the most records. With `text`, only files whose path contains it. */
export function filesQuery({ text, project }: { text: string; project?: string | undefined }) {
  const query = { ...inProject(project), ...(text.trim() === '' ? {} : { fileText: text.trim() }) };
  return queryOptions({
    queryKey: ['facets', query],
    queryFn: ({ signal }) => worker.facets({ query }, { signal }),
    placeholderData: keepPreviousData,
  });
}

/** Requests the types, the projects and the similar paths of a file. */
export function fileFacetsQuery({ path, project }: FileScope) {
  const query = { ...inProject(project), files: [path], fileText: path.slice(-MAX_FILE_TEXT) };
  return queryOptions({
    queryKey: ['facets', query],
    queryFn: ({ signal }) => worker.facets({ query }, { signal }),
  });
}

/** Requests the records that read or changed the file, newest first. */
export function fileRecordsQuery({ path, project }: FileScope) {
  const query = { ...inProject(project), files: [path] };
  return infiniteQueryOptions({
    queryKey: ['feed', query],
    queryFn: ({ pageParam, signal }) =>
      worker.feed({ query: { ...query, limit: PAGE_SIZE, ...pageParam } }, { signal }),
    initialPageParam: {} as { cursor?: string },
    getNextPageParam: ({ nextCursor }) => (nextCursor === null ? null : { cursor: nextCursor }),
  });
}

/** Requests the first record about the file. Null when there is none. */
export function firstRecordQuery({ path, project }: FileScope) {
  const query = { ...inProject(project), files: [path], order: 'oldest' as const, limit: 1 };
  return queryOptions({
    queryKey: ['feed', query],
    queryFn: async ({ signal }) => (await worker.feed({ query }, { signal })).items[0] ?? null,
  });
}

const inProject = (project: string | undefined) => (project === undefined ? {} : { project: [project] });
const PAGE_SIZE = 50;
const MAX_FILE_TEXT = 200;
