import { withInstants, type Filters } from '../api/filters.js';
import type { worker } from '../api/worker.js';

type Query = NonNullable<NonNullable<Parameters<typeof worker.feed>[0]>['query']>;

/** What stands in an address may be anything; the worker says what it does not know. */
export const feedQuery = (filters: Filters) => withInstants(filters) as Query;
