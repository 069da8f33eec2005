import { OBSERVATION_LIST_LIMITS, OBSERVATION_TEXT_LIMITS } from '@claude-mem/core';

/** The longest each text may be when stored, in UTF-16 units, on every way in; longer ones are cut on whole characters. */
export const TEXT_LIMITS = {
  ...OBSERVATION_TEXT_LIMITS,
  summaryField: 5_000,
  promptText: 100_000,
  /** The first prompt, as kept with the session. */
  sessionPrompt: 4_000,
  closingMessage: 50_000,
  /** The closing message, as kept with the prompt. */
  agentReply: 8_000,
  agent: 200,
  projectName: 200,
  model: 200,
  branch: 300,
  lastError: 2_000,
  reason: 500,
} as const;

/** The most entries each list may have when stored; later ones are left out. */
export const LIST_LIMITS = OBSERVATION_LIST_LIMITS;

/** Values nested deeper than this in a payload are replaced by a word. SQLite reads at most 1,000 levels. */
export const PAYLOAD_DEPTH = 100;
