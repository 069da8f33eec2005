import type { Fact } from '@claude-mem/core';

/** One line of the JSONL import, as anybody would write it who has only its description. */
export interface ImportLine {
  uid: string;
  /** A name or a key. */
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
  /** Files at hand. */
  contextFiles?: readonly string[];
  /** Epoch milliseconds: only what was there by then. */
  dateTo?: number;
  /** Left out of the ranking. */
  except?: string;
  /** What should be found, uids or sessions by the unit of the task, and how well it fits. */
  gold: ReadonlyMap<string, number>;
}

export type Measure = 'R@5' | 'R@10' | 'strict@10' | 'any@10' | 'MRR' | 'nDCG@10' | 'acc@5';

/** A measure with what was published or asked for it; null: nothing was. */
interface Goal {
  measure: Measure;
  plain: number | null;
  lexical: number | null;
  hybrid: number | null;
}

/** Queries over the records of a set that look for the same kind of thing. */
export interface EvalTask {
  name: string;
  unit: 'observation' | 'session';
  queries: readonly EvalQuery[];
  /** The first is the one that an arm may not lose when another turns to noise. */
  goals: readonly Goal[];
}

export interface EvalSet {
  name: string;
  lines: readonly ImportLine[];
  tasks: readonly EvalTask[];
}
