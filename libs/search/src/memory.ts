import type {
  ContextMaterial,
  HostName,
  Observation,
  Project,
  Session,
  Summary,
  UserPrompt,
} from '@claude-mem/core';

/** Filters of every search; lists mean "one of", all that are given must hold, what is empty filters nothing. Bounds are inclusive. */
export interface SearchFilter {
  /** Name or key of a project; left out: all projects. */
  project?: string | readonly string[];
  type?: string | readonly string[];
  concepts?: readonly string[];
  /** A whole path, the end of one (`api/router.ts`), or a folder (`src/api/`). */
  files?: readonly string[];
  /** ISO date or time, or epoch milliseconds. A date alone as `dateTo` means to its end, in local time. */
  dateFrom?: string | number;
  dateTo?: string | number;
  /** The host's id of a session, or ours. */
  session?: string | number;
  /** Where its session took place. */
  host?: HostName | readonly HostName[];
}

export interface SearchRequest extends SearchFilter {
  /** Plain text, never grammar; left out or empty: only the filters, newest first. */
  query?: string;
  /** Reads `query` as FTS5 syntax: phrases, AND, OR, NOT, prefix*, column:word. What is malformed is taken as plain text. @default 'text' */
  syntax?: 'text' | 'fts5';
  /** Reads the last word as the beginning of one, for search while a person types. @default false */
  prefix?: boolean;
  /** @default 20, at most 200 */
  limit?: number;
  /** @default 0, at most 10,000, without a query 1,000,000 */
  offset?: number;
  /** Fills the answer up to the limit with what the filters allow, newest first, behind what was ranked. @default false */
  complete?: boolean;
  /** Files at hand: what touched them ranks higher; they filter nothing. */
  contextFiles?: readonly string[];
  /** `date`: of the 1,000 best, the newest first. @default 'relevance' with a query */
  orderBy?: 'relevance' | 'date';
  /** Shows the parts of every score. @default false */
  explain?: boolean;
  /**
   * Epoch milliseconds. Searches the memory as it was then: newer records are not found, and do not count in how rare a word is.
   * @default now
   */
  asOf?: number;
  /** False: words alone, at once, and no model is loaded. @default true */
  meaning?: boolean;
  /** Hits found only by meaning must not be older; 0: no limit. @default 0 */
  semanticWindowDays?: number;
  signal?: AbortSignal;
}

/** `filters`: no query. `lexical`: words only. `semantic`: meaning only, no word being found. `hybrid`: words and meaning. `fts5`: the query's own syntax. */
export type SearchStrategy = 'filters' | 'lexical' | 'semantic' | 'hybrid' | 'fts5';

/** Something an answer had to do without, in a sentence for a person. */
export interface Degradation {
  part: 'vectors' | 'embedder' | 'lexical' | 'syntax';
  reason: string;
}

/** One part of a score; the values of all parts add up to it. */
export interface ScorePart {
  name: 'lexical' | 'semantic' | 'files' | 'neighbours' | 'session' | 'recency' | 'supersession';
  value: number;
  /** What it comes from, such as the terms that matched. */
  detail?: string;
}

/** How far a record answers a query by itself, whatever else was found: comparable between answers, as scores are not. */
export interface HitEvidence {
  /** What it holds of the query, rarest first. */
  words: readonly MatchedWord[];
}

export interface MatchedWord {
  /** As it is in the index. */
  term: string;
  /** Its share of the query, by rareness: all words of a query, found or not, make 1. */
  share: number;
  /**
   * 1 for a whole word that stands in one record, 0 for what stands in all; less for a part of a word. Of few records it says how
   * rare the word will be when there are more.
   */
  rareness: number;
  /** Of the records in the project that hold it, summaries and prompts too, the share that lies in the session of this one. */
  concentration: number;
}

export interface SearchHit<Item> {
  item: Item;
  /** Name of the project, to show. */
  project: string;
  /** Where its session took place. */
  host: HostName;
  /** Larger is better; comparable within one answer only; 0 where nothing was ranked. */
  score: number;
  /** Only with `explain`. */
  parts?: readonly ScorePart[];
  /** Only with `explain`, of an observation that was ranked for a query in plain text. */
  evidence?: HitEvidence;
}

export interface SearchAnswer<Item> {
  items: readonly SearchHit<Item>[];
  strategy: SearchStrategy;
  /** Empty: everything was asked. */
  degraded: readonly Degradation[];
  /** True when there are more than `offset + limit`. */
  hasMore: boolean;
}

/** A session as search finds it, with the observations that it was found by, best first. */
export interface FoundSession extends Session {
  summary: Summary | null;
  hits: readonly Observation[];
}

export interface TimelineRequest extends Pick<SearchFilter, 'project'> {
  /** An observation's id (also as text, `"123"`, `"#123"`), `S12` a summary's, `P12` a prompt's, an ISO time, or `{ query }`: its best hit. */
  anchor: number | string | { query: string };
  /** Entries before the anchor; 0 stays 0. @default 10, at most 100 */
  before?: number;
  /** @default 10, at most 100 */
  after?: number;
}

export type TimelineEntry =
  | { kind: 'observation'; item: Observation; project: string }
  | { kind: 'summary'; item: Summary; project: string }
  | { kind: 'prompt'; item: UserPrompt; project: string };

/** Oldest first; `anchorIndex` is the anchor's place, or where its moment falls when it is a time. Null anchor: nothing was found for it. */
export interface Timeline {
  entries: readonly TimelineEntry[];
  anchorIndex: number | null;
  degraded: readonly Degradation[];
}

export interface RecentContext {
  project: Project;
  sessions: readonly { session: Session; summary: Summary | null; observations: readonly Observation[] }[];
}

/** Filters over records of all kinds. What has no type, concepts or files passes no filter for them. */
export interface FeedFilter extends SearchFilter {
  kinds?: readonly TimelineEntry['kind'][];
}

export interface FeedRequest extends FeedFilter {
  /** @default 'newest' */
  order?: 'newest' | 'oldest';
  /** @default 50, at most 200 */
  limit?: number;
  /** `nextCursor` of the page before. */
  cursor?: string;
}

export type FeedEntry = TimelineEntry & { host: HostName };

export interface FeedPage {
  items: readonly FeedEntry[];
  /** Null on the last page. */
  nextCursor: string | null;
}

export interface FacetsRequest extends FeedFilter {
  /** Only files whose path contains it are counted. */
  fileText?: string;
}

/** How many records each value has, most first; of concepts and files the 30 most frequent. */
export interface FacetCounts {
  /** Records that pass all filters. */
  total: number;
  projects: readonly { id: number; name: string; count: number }[];
  hosts: readonly { value: HostName; count: number }[];
  kinds: readonly { value: TimelineEntry['kind']; count: number }[];
  types: readonly { value: string; count: number }[];
  concepts: readonly { value: string; count: number }[];
  /** Paths as stored; `lastEpoch` is of the newest record that names it. */
  files: readonly { value: string; count: number; project: string; lastEpoch: number }[];
}

export interface ActivityRequest {
  /** @default all */
  projectIds?: readonly number[];
  fromEpoch: number;
  /** Minutes ahead of UTC of whose days they are. */
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
 * A memory opened for reading, beside whoever writes it. What is committed is found at once. Every method rejects with
 * `search/bad-request` for what cannot be understood, and answers in the same order for the same memory.
 */
export interface Memory extends AsyncDisposable {
  /** The best observations for a query and filters. */
  search(request: SearchRequest): Promise<SearchAnswer<Observation>>;
  /** The same as `search`. */
  searchObservations(request: SearchRequest): Promise<SearchAnswer<Observation>>;
  /** Whole sessions: by their observations, summaries and prompts together. */
  searchSessions(request: SearchRequest): Promise<SearchAnswer<FoundSession>>;
  searchUserPrompts(request: SearchRequest): Promise<SearchAnswer<UserPrompt>>;
  findByConcept(concept: string, options?: Listed): Promise<SearchAnswer<Observation>>;
  /** By a whole path, the end of one, or a folder; newest first. Of what was read or modified. */
  findByFile(file: string, options?: Listed): Promise<SearchAnswer<Observation>>;
  findByType(type: string | readonly string[], options?: Listed): Promise<SearchAnswer<Observation>>;
  /** What happened last in a project: its newest sessions with summary and observations. Null: no such project. */
  getRecentContext(request: { project: string; sessions?: number }): Promise<RecentContext | null>;
  /** What the context of a new session is chosen from: what is pinned, and the newest, without what was superseded. Null: no such project. */
  getContextMaterial(request: {
    project: string;
    /** @default 200, at most 500 */
    observations?: number;
    /** @default 10, at most 50 */
    summaries?: number;
  }): Promise<ContextMaterial | null>;
  /** Observations, sessions and prompts for one query, each with the same filters; `strategy` is what holds for all that was found. */
  advancedSearch(request: SearchRequest): Promise<{
    observations: SearchAnswer<Observation>;
    sessions: SearchAnswer<FoundSession>;
    prompts: SearchAnswer<UserPrompt>;
    strategy: SearchStrategy;
  }>;
  timeline(request: TimelineRequest): Promise<Timeline>;
  /**
   * Records of all kinds in the order of time, page after page: whatever is added or forgotten meanwhile, no page repeats or skips
   * what was there.
   */
  feed(request: FeedRequest): Promise<FeedPage>;
  /** What a feed can be narrowed to; each field is counted as if it were not filtered by. */
  facets(request: FacetsRequest): Promise<FacetCounts>;
  /** Observations by project, day and type, oldest day first; days without any are left out. */
  activity(request: ActivityRequest): Promise<readonly DayActivity[]>;
  /** In the order of the ids; unknown ones are left out. */
  getObservations(ids: readonly number[]): Promise<readonly Observation[]>;
  listProjects(): Promise<readonly (Project & { observations: number })[]>;
  /** What is in the indexes, and what is missing. */
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
