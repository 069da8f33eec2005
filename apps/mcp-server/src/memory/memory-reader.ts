import type { PastRecord } from '@claude-mem/context-render/mcp';
import type { HostName, Observation } from '@claude-mem/core';

export interface SearchQuestion {
  kind: 'observations' | 'sessions' | 'prompts' | 'all';
  query?: string | undefined;
  /** Name or key; left out: all projects. */
  project?: string | undefined;
  type?: readonly string[] | undefined;
  concepts?: readonly string[] | undefined;
  files?: readonly string[] | undefined;
  host?: readonly HostName[] | undefined;
  dateFrom?: string | undefined;
  dateTo?: string | undefined;
  /** Our id of a session, or the host's. */
  session?: string | undefined;
  orderBy?: 'relevance' | 'date' | undefined;
  limit: number;
  offset: number;
}

interface TimelineQuestion {
  anchor: string | { query: string };
  before: number;
  after: number;
  project?: string | undefined;
}

/** What an answer had to do without, in sentences. */
interface Noted {
  notes: readonly string[];
}

interface FoundRecords extends Noted {
  records: readonly PastRecord[];
  nextOffset: number | null;
}

interface FoundTimeline extends Noted {
  records: readonly PastRecord[];
  /** Null: nothing was found for the anchor. */
  anchorIndex: number | null;
}

interface ProjectContext extends Noted {
  /** '' when there is nothing to say. */
  text: string;
}

interface KnownProject {
  id: number;
  key: string;
  name: string;
  observations: number;
}

/** The reading half of a memory, however it is reached. */
export interface MemoryReader {
  search(question: SearchQuestion): Promise<FoundRecords>;
  timeline(question: TimelineQuestion): Promise<FoundTimeline>;
  /** In the order of the ids; unknown ones are left out. */
  observations(ids: readonly number[]): Promise<readonly Observation[]>;
  /**
   * The session of the newest summary; null when there is no summary.
   * @param project name or key; undefined: all projects
   */
  lastSummarizedSession(project: string | undefined): Promise<number | null>;
  projects(): Promise<readonly KnownProject[]>;
  /** What a session started in the project would be told. */
  context(project: { key: string; name: string }): Promise<ProjectContext>;
}
