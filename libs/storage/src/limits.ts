import { OBSERVATION_LIST_LIMITS, OBSERVATION_TEXT_LIMITS } from '@claude-mem/core';

/**
 * Maximum length of each stored text in UTF-16 code units, for every source of records. Longer texts are cut between
 * characters.
 */
export const TEXT_LIMITS = {
  ...OBSERVATION_TEXT_LIMITS,
  summaryField: 5_000,
  promptText: 100_000,
  /** The first prompt, stored with the session. */
  sessionPrompt: 4_000,
  closingMessage: 50_000,
  /** The closing message, stored with the prompt. */
  agentReply: 8_000,
  agent: 200,
  projectName: 200,
  model: 200,
  branch: 300,
  lastError: 2_000,
  reason: 500,
} as const;

/** Maximum number of entries of each list. Later entries are dropped. */
export const LIST_LIMITS = OBSERVATION_LIST_LIMITS;

/** Payload values that are nested deeper than this are replaced by a word. SQLite reads at most 1,000 levels. */
export const PAYLOAD_DEPTH = 100;
