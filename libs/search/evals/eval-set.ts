import type { Fact } from '@claude-mem/core';

/** A line of the JSONL import. It contains only documented fields. */
export interface ImportLine {
  uid: string;
  /** Name or key of the project. */
  project: string;
  session: string;
  prompt_number: number;
  type?: string;
  title?: string;
  narrative?: string;
  facts?: readonly (string | Fact)[];
  concepts?: readonly string[];
  files_read?: readonly string[];
  files_modified?: readonly string[];
  created_at: string;
}

export interface EvalQuery {
  text: string;
  project: string;
  /** Files that the user works on. */
  contextFiles?: readonly string[];
  /** Epoch milliseconds. Only records up to this time are searched. */
  dateTo?: number;
  /** Id that is removed from the ranking. */
  except?: string;
  /** Relevant ids with their grades. The `unit` of the task defines whether they are uids or session ids. */
  gold: ReadonlyMap<string, number>;
}

export type Measure = 'R@5' | 'R@10' | 'strict@10' | 'any@10' | 'MRR' | 'nDCG@10' | 'acc@5';

/** A measure with its goals. `plain` is the published score of plain BM25. Null means that there is no goal. */
interface Goal {
  measure: Measure;
  plain: number | null;
  lexical: number | null;
  hybrid: number | null;
}

/** Queries of one kind over the records of a set. */
export interface EvalTask {
  name: string;
  unit: 'observation' | 'session';
  queries: readonly EvalQuery[];
  /** The score of each answer uses the first measure. */
  goals: readonly Goal[];
}

export interface EvalSet {
  name: string;
  lines: readonly ImportLine[];
  tasks: readonly EvalTask[];
}
