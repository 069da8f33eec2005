import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import { worker } from '../../api/worker.js';

export interface FilePlace {
  path: string;
  /** Name; left out: in any project. */
  project?: string;
}

/** The files that most records name; with `text` those whose path contains it. */
export function filesQuery({ text, project }: { text: string; project?: string | undefined }) {
  const query = { ...inProject(project), ...(text.trim() === '' ? {} : { fileText: text.trim() }) };
  return queryOptions({
    queryKey: ['facets', query],
    queryFn: ({ signal }) => worker.facets({ query }, { signal }),
    placeholderData: keepPreviousData,
  });
}

/** What there is of one file: types, projects, and other paths that contain this one. */
export function fileFacetsQuery({ path, project }: FilePlace) {
  const query = { ...inProject(project), files: [path], fileText: path.slice(-MOST_FILE_TEXT) };
  return queryOptions({
    queryKey: ['facets', query],
    queryFn: ({ signal }) => worker.facets({ query }, { signal }),
  });
}

/** Every record that read or changed the file, newest first. */
export function fileRecordsQuery({ path, project }: FilePlace) {
  const query = { ...inProject(project), files: [path] };
  return infiniteQueryOptions({
    queryKey: ['feed', query],
    queryFn: ({ pageParam, signal }) =>
      worker.feed({ query: { ...query, limit: PAGE_SIZE, ...pageParam } }, { signal }),
    initialPageParam: {} as { cursor?: string },
    getNextPageParam: ({ nextCursor }) => (nextCursor === null ? null : { cursor: nextCursor }),
  });
}

/** The record that named the file first; null when there is none. */
export function firstRecordQuery({ path, project }: FilePlace) {
  const query = { ...inProject(project), files: [path], order: 'oldest' as const, limit: 1 };
  return queryOptions({
    queryKey: ['feed', query],
    queryFn: async ({ signal }) => (await worker.feed({ query }, { signal })).items[0] ?? null,
  });
}

const inProject = (project: string | undefined) => (project === undefined ? {} : { project: [project] });
const PAGE_SIZE = 50;
const MOST_FILE_TEXT = 200;
