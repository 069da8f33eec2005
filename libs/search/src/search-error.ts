import { ClaudeMemError } from '@claude-mem/core';

/**
 * `no-memory`: the data folder contains no memory, or it cannot be read. `bad-request`: an invalid field; the message
 * names it and the allowed values. `embedder-unavailable` and `vector-index-unavailable`: the search continues
 * without it and reports this. `read-only`: a write to an index that was opened for reading.
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
