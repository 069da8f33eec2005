import { ClaudeMemError } from '@claude-mem/core';

/**
 * `no-memory`: nothing is stored in the data directory, or it cannot be read. `bad-request`: a field of the request cannot be
 * used; the message says which and what is allowed. `embedder-unavailable`, `vector-index-unavailable`: a search goes on
 * without them and says so. `read-only`: a write was asked of what was opened for reading.
 */
export type SearchErrorCode =
  | 'search/no-memory'
  | 'search/bad-request'
  | 'search/embedder-unavailable'
  | 'search/vector-index-unavailable'
  | 'search/read-only'
  | 'search/closed';

export class SearchError extends ClaudeMemError<SearchErrorCode> {
  static override isInstance(value: unknown): value is SearchError {
    return ClaudeMemError.isInstance(value) && value.code.startsWith('search/');
  }
}
