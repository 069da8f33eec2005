import type { RouteReply } from '@claude-mem/worker-protocol';
import { queryOptions } from '@tanstack/react-query';
import { worker } from '../api/worker.js';

export type SettingItem = RouteReply<'getSettings'>['items'][number];

/** Every setting, its value and how it is asked for. */
export const settingsQuery = queryOptions({
  queryKey: ['getSettings', {}],
  queryFn: ({ signal }) => worker.getSettings({}, { signal }),
});
