import type { PastRecord } from '@claude-mem/context-render/mcp';
import type { HostName, Observation } from '@claude-mem/core';

export interface SearchRequest {
  kind: 'observations' | 'sessions' | 'prompts' | 'all';
  query?: string | undefined;
  /** Name or key. Undefined: all projects. */
  project?: string | undefined;
  type?: readonly string[] | undefined;
  concepts?: readonly string[] | undefined;
  files?: readonly string[] | undefined;
  host?: readonly HostName[] | undefined;
  dateFrom?: string | undefined;
  dateTo?: string | undefined;
  /** Number of the session, or its id in the host. */
  session?: string | undefined;
  orderBy?: 'relevance' | 'date' | undefined;
  limit: number;
  offset: number;
}

interface TimelineRequest {
  anchor: string | { query: string };
  before: number;
  after: number;
  project?: string | undefined;
}

/** Notes explain degraded results, one sentence each. */
interface WithNotes {
  notes: readonly string[];
}

interface FoundRecords extends WithNotes {
  records: readonly PastRecord[];
  nextOffset: number | null;
}

interface FoundTimeline extends WithNotes {
  records: readonly PastRecord[];
  /** Null when the anchor was not found. */
  anchorIndex: number | null;
}

interface ProjectContext extends WithNotes {
  /** '' when the project has no records. */
  text: string;
}

interface KnownProject {
  id: number;
  key: string;
  name: string;
  observations: number;
}

/** Reads the memory through the worker or from the database. */
export interface MemoryReader {
  search(request: SearchRequest): Promise<FoundRecords>;
  timeline(request: TimelineRequest): Promise<FoundTimeline>;
  /** Returns the records in the order of the ids. Skips unknown ids. */
  observations(ids: readonly number[]): Promise<readonly Observation[]>;
  /**
   * Returns the session of the newest summary, or null when there is no summary.
   * @param project name or key; undefined: all projects
   */
  lastSummarizedSession(project: string | undefined): Promise<number | null>;
  projects(): Promise<readonly KnownProject[]>;
  /** Returns the context of a new session in the project. */
  context(project: { key: string; name: string }): Promise<ProjectContext>;
}
