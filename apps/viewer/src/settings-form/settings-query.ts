import type { RouteReply } from '@claude-mem/worker-protocol';
import { queryOptions } from '@tanstack/react-query';
import { worker } from '../api/worker.js';

export type SettingItem = RouteReply<'getSettings'>['items'][number];

/** Requests all settings with their values and descriptions. */
export const settingsQuery = queryOptions({
  queryKey: ['getSettings', {}],
  queryFn: ({ signal }) => worker.getSettings({}, { signal }),
});
