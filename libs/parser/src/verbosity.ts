export type Verbosity = 'minimal' | 'normal' | 'verbose';

/** Maximum tokens for each part of a turn in a request. */
export interface Allowance {
  prompt: number;
  closing: number;
  goal: number;
  lastSummary: number;
  titles: number;
  /**
   * `conversation` limits the earlier turns when they are observed or no tool was used. `recentTurns` is the limit next
   * to tool uses.
   */
  conversation: number;
  recentTurns: number;
  /**
   * The tool uses together get `base`, plus `toolUse` for each that can result in a record and `lookup` for each that
   * only reads.
   */
  base: number;
  toolUse: number;
  lookup: number;
}

interface VerbosityRule {
  /** Instruction about what to record. */
  instruction: string;
  allowance: Allowance;
}

export const VERBOSITY: Readonly<Record<Verbosity, VerbosityRule>> = {
  minimal: {
    instruction:
      'Record only what would cost the reader real time to find out again. Most turns give nothing.',
    allowance: { prompt: 140, closing: 200, goal: 30, lastSummary: 60, titles: 60, conversation: 500, recentTurns: 100, base: 80, toolUse: 60, lookup: 8 }, // prettier-ignore
  },
  normal: {
    instruction: 'Skip routine listings, status checks without a finding, clean installs and repetitions.',
    allowance: { prompt: 240, closing: 360, goal: 40, lastSummary: 90, titles: 90, conversation: 1_500, recentTurns: 200, base: 160, toolUse: 130, lookup: 16 }, // prettier-ignore
  },
  verbose: {
    instruction: 'Record smaller findings too, as long as each can be checked.',
    allowance: { prompt: 500, closing: 700, goal: 60, lastSummary: 150, titles: 200, conversation: 1_500, recentTurns: 500, base: 300, toolUse: 200, lookup: 40 }, // prettier-ignore
  },
};
