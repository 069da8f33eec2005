import type { Clock } from '@claude-mem/core';
import type { StoreReader } from '@claude-mem/storage';
import type { SearchTables } from '@claude-mem/storage/search-tables';
import type { LexicalIndex } from '../lexical/lexical-index.js';
import type { Degradation, FacetCounts } from '../memory.js';
import type { DocumentSet } from '../documents/document-set.js';
import type { LabelColumns } from '../feed/label-columns.js';
import type { SessionHosts } from '../documents/session-hosts.js';
import type { ProjectNames } from './project-names.js';
import type { SemanticAnswer, SemanticRequest } from './semantic-search.js';

/** What a search is made with, all over one open database. */
export interface OpenParts {
  store: StoreReader;
  tables: SearchTables;
  lexical: LexicalIndex;
  projects: ProjectNames;
  hosts: SessionHosts;
  labels: LabelColumns;
  /** Facets by all that passes and the request: it is another set as soon as anything was written. */
  counted: WeakMap<DocumentSet, Map<string, FacetCounts>>;
  clock: Clock;
  meaning: {
    /** Null: there are no vectors, for the reason given. */
    find: ((request: SemanticRequest) => Promise<SemanticAnswer>) | null;
    missing: Degradation | null;
    /** How long words that were found wait for it, and how long it is waited for when nothing was. */
    patienceMs: number;
    longPatienceMs: number;
  };
}
