import type { Clock } from '@claude-mem/core';
import type { DocumentSet, LexicalIndex } from '@claude-mem/lexical-index';
import type { StoreReader } from '@claude-mem/storage';
import type { SearchTables } from '@claude-mem/storage';
import type { Degradation, FacetCounts } from '../memory.js';
import type { LabelColumns } from '../feed/label-columns.js';
import type { ProjectNames } from './project-names.js';
import type { SemanticAnswer, SemanticRequest } from './semantic-search.js';

/** The parts of a search over one open database. */
export interface OpenParts {
  store: StoreReader;
  tables: SearchTables;
  lexical: LexicalIndex;
  projects: ProjectNames;
  labels: LabelColumns;
  /** Facets by set of records and request. Any write replaces the set. */
  counted: WeakMap<DocumentSet, Map<string, FacetCounts>>;
  clock: Clock;
  meaning: {
    /** Null when there are no vectors, with the reason. */
    find: ((request: SemanticRequest) => Promise<SemanticAnswer>) | null;
    missing: Degradation | null;
    /** Milliseconds that lexical results wait for vectors, and that a search without lexical results waits. */
    timeoutMs: number;
    longTimeoutMs: number;
  };
}
