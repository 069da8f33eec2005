import type {
  ContextMaterial,
  HostName,
  Observation,
  Project,
  Session,
  Summary,
  UserPrompt,
} from '@claude-mem/core';
import type { MatchedWord } from '@claude-mem/lexical-index';

/**
 * Filters of all searches. Values of a list mean "one of". All filters must match, and empty ones are ignored. Bounds
 * are inclusive.
 */
export interface SearchFilter {
  /** Name or key of a project. @default all projects */
  project?: string | readonly string[];
  type?: string | readonly string[];
  concepts?: readonly string[];
  /** A complete path, the end of a path (`api/router.ts`), or a folder (`src/api/`). */
  files?: readonly string[];
  /** ISO date or time, or epoch milliseconds. A date in `dateTo` includes its last moment in local time. */
  dateFrom?: string | number;
  dateTo?: string | number;
  /** The host's id of a session, or the numeric id. */
  session?: string | number;
  /** The host of its session. */
  host?: HostName | readonly HostName[];
}

export interface SearchRequest extends SearchFilter {
  /** Plain text. Without a query, the newest records that match the filters are returned. */
  query?: string;
  /**
   * `fts5` reads `query` as FTS5 syntax: phrases, AND, OR, NOT, prefix*, column:word. Invalid syntax is read as plain
   * text. @default 'text'
   */
  syntax?: 'text' | 'fts5';
  /** The last word matches as a prefix, for search while the user types. @default false */
  prefix?: boolean;
  /** @default 20, at most 200 */
  limit?: number;
  /** @default 0, at most 10,000; without a query at most 1,000,000 */
  offset?: number;
  /** Adds records that match only the filters, newest first, after the ranked ones, up to the limit. @default false */
  complete?: boolean;
  /** Current files. Records that touched them rank higher. They filter nothing. */
  contextFiles?: readonly string[];
  /** `date` sorts the 1,000 best results, newest first. @default 'relevance' with a query */
  orderBy?: 'relevance' | 'date';
  /** Includes the parts of every score. @default false */
  explain?: boolean;
  /**
   * Epoch milliseconds. Searches the memory as it was then: newer records are not found and do not count for word
   * statistics. @default now
   */
  asOf?: number;
  /** False: lexical search only, without waiting and without loading a model. @default true */
  meaning?: boolean;
  /** Results found only semantically must not be older than this number of days. 0: no limit. @default 0 */
  semanticWindowDays?: number;
  signal?: AbortSignal;
}

/**
 * `filters`: no query. `lexical`: words only. `semantic`: vectors only, because no word was found. `hybrid`: both.
 * `fts5`: FTS5 syntax.
 */
export type SearchStrategy = 'filters' | 'lexical' | 'semantic' | 'hybrid' | 'fts5';

/** A missing part of the search, as a sentence for the user. */
export interface Degradation {
  part: 'vectors' | 'embedder' | 'lexical' | 'syntax';
  reason: string;
}

/** One part of a score. The values of all parts sum up to the score. */
export interface ScorePart {
  name: 'lexical' | 'semantic' | 'files' | 'neighbours' | 'session' | 'recency' | 'supersession';
  value: number;
  /** The cause, such as the matching terms. */
  detail?: string;
}

/**
 * How well a record matches a query, independent of other results. Unlike scores, this is comparable between
 * searches.
 */
export interface HitEvidence {
  /** The words of the query in the record, rarest first. */
  words: readonly MatchedWord[];
}

export interface SearchHit<Item> {
  item: Item;
  /** Name of the project for display. */
  project: string;
  /** The host of its session. */
  host: HostName;
  /** Larger is better. Comparable only within one response. 0 without a ranking. */
  score: number;
  /** Only with `explain`. */
  parts?: readonly ScorePart[];
  /** Only with `explain`, for observations that were ranked for a plain-text query. */
  evidence?: HitEvidence;
}

export interface SearchAnswer<Item> {
  items: readonly SearchHit<Item>[];
  strategy: SearchStrategy;
  /** Empty when the search was complete. */
  degraded: readonly Degradation[];
  /** True when there are more than `offset + limit` results. */
  hasMore: boolean;
}

/** A session with its matching observations, best first. */
export interface FoundSession extends Session {
  summary: Summary | null;
  hits: readonly Observation[];
}

export interface TimelineRequest extends Pick<SearchFilter, 'project'> {
  /**
   * An observation id (number, `"123"` or `"#123"`), `S12` for a summary, `P12` for a prompt, an ISO time, or `{
   * query }` for its best result.
   */
  anchor: number | string | { query: string };
  /** Number of entries before the anchor. @default 10, at most 100 */
  before?: number;
  /** @default 10, at most 100 */
  after?: number;
}

export type TimelineEntry =
  | { kind: 'observation'; item: Observation; project: string }
  | { kind: 'summary'; item: Summary; project: string }
  | { kind: 'prompt'; item: UserPrompt; project: string };

/**
 * Oldest first. `anchorIndex` is the index of the anchor, or of the first entry after an anchor time. Null anchor:
 * nothing was found.
 */
export interface Timeline {
  entries: readonly TimelineEntry[];
  anchorIndex: number | null;
  degraded: readonly Degradation[];
}

export interface RecentContext {
  project: Project;
  sessions: readonly { session: Session; summary: Summary | null; observations: readonly Observation[] }[];
}

/** Filters for records of all kinds. Records without type, concepts or files do not match filters of those fields. */
export interface FeedFilter extends SearchFilter {
  kinds?: readonly TimelineEntry['kind'][];
}

export interface FeedRequest extends FeedFilter {
  /** @default 'newest' */
  order?: 'newest' | 'oldest';
  /** @default 50, at most 200 */
  limit?: number;
  /** `nextCursor` of the previous page. */
  cursor?: string;
}

export type FeedEntry = TimelineEntry & { host: HostName };

export interface FeedPage {
  items: readonly FeedEntry[];
  /** Null on the last page. */
  nextCursor: string | null;
}

export interface FacetsRequest extends FeedFilter {
  /** Counts only files whose path contains this text. */
  fileText?: string;
}

/** Number of records per value, most frequent first; for concepts and files the 30 most frequent. */
export interface FacetCounts {
  /** Number of records that match all filters. */
  total: number;
  projects: readonly { id: number; name: string; count: number }[];
  hosts: readonly { value: HostName; count: number }[];
  kinds: readonly { value: TimelineEntry['kind']; count: number }[];
  types: readonly { value: string; count: number }[];
  concepts: readonly { value: string; count: number }[];
  /** Paths as stored. `lastEpoch` is the time of the newest record with the file. */
  files: readonly { value: string; count: number; project: string; lastEpoch: number }[];
}

export interface ActivityRequest {
  /** @default all */
  projectIds?: readonly number[];
  fromEpoch: number;
  /** Offset of local days from UTC in minutes. */
  utcOffsetMinutes: number;
}

/** `day` counts from 1970-01-01. */
export interface DayActivity {
  projectId: number;
  day: number;
  type: string;
  count: number;
}

type Listed = Omit<SearchRequest, 'query'>;

/**
 * A memory opened for reading while another process writes it. Committed changes are visible at once. Every method
 * rejects with `search/bad-request` for an invalid request, and returns the same order for the same memory.
 */
export interface Memory extends AsyncDisposable {
  /** Returns the best observations for a query and filters. */
  search(request: SearchRequest): Promise<SearchAnswer<Observation>>;
  /** The same as `search`. */
  searchObservations(request: SearchRequest): Promise<SearchAnswer<Observation>>;
  /** Returns complete sessions by their observations, summaries and prompts together. */
  searchSessions(request: SearchRequest): Promise<SearchAnswer<FoundSession>>;
  searchUserPrompts(request: SearchRequest): Promise<SearchAnswer<UserPrompt>>;
  findByConcept(concept: string, options?: Listed): Promise<SearchAnswer<Observation>>;
  /**
   * Returns observations that read or modified a file, newest first. The file is a complete path, the end of one, or
   * a folder.
   */
  findByFile(file: string, options?: Listed): Promise<SearchAnswer<Observation>>;
  findByType(type: string | readonly string[], options?: Listed): Promise<SearchAnswer<Observation>>;
  /** Returns the newest sessions of a project with summary and observations. Null: no such project. */
  getRecentContext(request: { project: string; sessions?: number }): Promise<RecentContext | null>;
  /**
   * Returns the candidates for the context of a new session: pinned and newest observations that are not superseded.
   * Null: no such project.
   */
  getContextMaterial(request: {
    project: string;
    /** @default 200, at most 500 */
    observations?: number;
    /** @default 10, at most 50 */
    summaries?: number;
  }): Promise<ContextMaterial | null>;
  /**
   * Returns observations, sessions and prompts for one query, each with the same filters. `strategy` describes all
   * results.
   */
  advancedSearch(request: SearchRequest): Promise<{
    observations: SearchAnswer<Observation>;
    sessions: SearchAnswer<FoundSession>;
    prompts: SearchAnswer<UserPrompt>;
    strategy: SearchStrategy;
  }>;
  timeline(request: TimelineRequest): Promise<Timeline>;
  /**
   * Lists records of all kinds in order of time, page by page. Records that are added or deleted meanwhile cause no
   * repeated or skipped record.
   */
  feed(request: FeedRequest): Promise<FeedPage>;
  /** Returns the filter values of a feed. Each field is counted without its own filter. */
  facets(request: FacetsRequest): Promise<FacetCounts>;
  /** Counts observations by project, day and type, oldest day first, without empty days. */
  activity(request: ActivityRequest): Promise<readonly DayActivity[]>;
  /** Returns records in the order of the ids. Unknown ids are skipped. */
  getObservations(ids: readonly number[]): Promise<readonly Observation[]>;
  listProjects(): Promise<readonly (Project & { observations: number })[]>;
  /** Returns the number of indexed and of missing records. */
  status(): Promise<MemoryStatus>;
  close(): Promise<void>;
}

export interface MemoryStatus {
  observations: number;
  lexical: { indexed: number; total: number };
  vectors: {
    index: string;
    model: string | null;
    documents: number;
    waiting: number;
    problem: string | null;
  };
}
