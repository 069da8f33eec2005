export type Verbosity = 'minimal' | 'normal' | 'verbose';

/** How much of a turn an observer is told: most tokens per part, whatever the request may hold. */
export interface Allowance {
  prompt: number;
  closing: number;
  goal: number;
  lastSummary: number;
  titles: number;
  /** For the earlier turns of the conversation: when they are observed or no tool was used, and beside other tool uses. */
  conversation: number;
  recentTurns: number;
  /** For the tool uses together: `base`, and so much more for each that may give a record and each that only looks. */
  base: number;
  toolUse: number;
  lookup: number;
}

interface VerbosityRule {
  /** What is worth a record. */
  asked: string;
  allowance: Allowance;
}

export const VERBOSITY: Readonly<Record<Verbosity, VerbosityRule>> = {
  minimal: {
    asked: 'Record only what would cost the reader real time to find out again. Most turns give nothing.',
    allowance: { prompt: 140, closing: 200, goal: 30, lastSummary: 60, titles: 60, conversation: 500, recentTurns: 100, base: 80, toolUse: 60, lookup: 8 }, // prettier-ignore
  },
  normal: {
    asked: 'Skip routine listings, status checks without a finding, clean installs and repetitions.',
    allowance: { prompt: 240, closing: 360, goal: 40, lastSummary: 90, titles: 90, conversation: 1_500, recentTurns: 200, base: 160, toolUse: 130, lookup: 16 }, // prettier-ignore
  },
  verbose: {
    asked: 'Record smaller findings too, as long as each can be checked.',
    allowance: { prompt: 500, closing: 700, goal: 60, lastSummary: 150, titles: 200, conversation: 1_500, recentTurns: 500, base: 300, toolUse: 200, lookup: 40 }, // prettier-ignore
  },
};
