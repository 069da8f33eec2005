import type { HostName } from '@claude-mem/core';
import type { RouteInput } from '@claude-mem/worker-protocol';
import { queryOptions } from '@tanstack/react-query';
import { worker } from '../../api/worker.js';

/** The moments at which an agent is given something. */
export const MOMENTS = ['start', 'prompt', 'file'] as const;
export type Moment = (typeof MOMENTS)[number];

/** Key of the setting that lets each be given. */
export const SWITCHES: Record<Moment, string> = {
  start: 'CLAUDE_MEM_CONTEXT_ENABLED',
  prompt: 'CLAUDE_MEM_RECALL_ON_PROMPT',
  file: 'CLAUDE_MEM_FILE_HISTORY',
};

export interface ContextQuestion {
  cwd: string;
  moment: Moment;
  host: HostName;
  prompt: string;
  file: string;
  /** JSON of settings for the preview; '' for the current settings. */
  requestedSettings: string;
}

type ContextQuery = NonNullable<RouteInput<'previewContext'>['query']>;

/** Only what the moment is about; null as long as there is nothing to ask. */
export function contextQueryOf({
  cwd,
  moment,
  host,
  prompt,
  file,
  requestedSettings,
}: ContextQuestion): ContextQuery | null {
  const query = { cwd, ...(requestedSettings === '' ? {} : { settings: requestedSettings }) };
  if (moment === 'start') return { ...query, host };
  const text = (moment === 'prompt' ? prompt : file).trim();
  return text === '' ? null : { ...query, [moment]: text };
}

/**
 * What would be given. While an answer to another prompt or with other settings is on its way, the one before stays, as a
 * placeholder; that of another project, moment, host or file never does.
 */
export function previewQuery(query: ContextQuery) {
  return queryOptions({
    queryKey: ['previewContext', query] as const,
    queryFn: ({ signal }) => worker.previewContext({ query }, { signal }),
    staleTime: 5_000,
    placeholderData: (data, before) => (isOfSame(before?.queryKey[1], query) ? data : undefined),
  });
}

function isOfSame(before: ContextQuery | undefined, query: ContextQuery): boolean {
  const isAboutPrompt = (one: ContextQuery) => one.prompt !== undefined;
  return (
    before !== undefined &&
    before.cwd === query.cwd &&
    before.host === query.host &&
    before.file === query.file &&
    isAboutPrompt(before) === isAboutPrompt(query)
  );
}

/** What is kept in files of the project of a folder; no event says when one was written, some seconds after the memory changed. */
export function contextFilesQuery(cwd: string) {
  return queryOptions({
    queryKey: ['listContextFiles', { cwd }],
    queryFn: ({ signal }) => worker.listContextFiles({ query: { cwd } }, { signal }),
    refetchInterval: 5_000,
  });
}
