import { withInstants, type Filters } from '../api/filters.js';
import type { worker } from '../api/worker.js';

type Query = NonNullable<NonNullable<Parameters<typeof worker.feed>[0]>['query']>;

/** A URL can contain any values. The worker rejects invalid ones. */
export const feedQuery = (filters: Filters) => withInstants(filters) as Query;
