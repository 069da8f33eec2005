import type { HostName } from '@claude-mem/core';
import type { RouteInput } from '@claude-mem/worker-protocol';
import { queryOptions } from '@tanstack/react-query';
import { worker } from '../../api/worker.js';

/** The moments at which context can be injected. */
export const MOMENTS = ['start', 'prompt', 'file'] as const;
export type Moment = (typeof MOMENTS)[number];

/** The setting that enables each injection. */
export const SETTING_KEYS: Record<Moment, string> = {
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
  /** Settings for the preview, as JSON. Empty for the current settings. */
  requestedSettings: string;
}

type ContextQuery = NonNullable<RouteInput<'previewContext'>['query']>;

/** Returns the query of the preview with only the parameters of the moment, or null when the input is incomplete. */
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
 * Requests the preview. When only the prompt or the settings change, the previous response is shown while the next
 * one loads.
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

/** Requests the context files of a project. They are written some seconds after a change, and no event reports it. */
export function contextFilesQuery(cwd: string) {
  return queryOptions({
    queryKey: ['listContextFiles', { cwd }],
    queryFn: ({ signal }) => worker.listContextFiles({ query: { cwd } }, { signal }),
    refetchInterval: 5_000,
  });
}
