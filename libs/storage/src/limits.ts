/** The longest each text may be when stored, in UTF-16 units, on every way in; longer ones are cut on whole characters. */
export const TEXT_LIMITS = {
  type: 50,
  title: 300,
  subtitle: 300,
  narrative: 10_000,
  fact: 1_000,
  concept: 100,
  file: 1_000,
  summaryField: 5_000,
  promptText: 100_000,
  /** The first prompt, as kept with the session. */
  sessionPrompt: 4_000,
  closingMessage: 50_000,
  agent: 200,
  projectName: 200,
  model: 200,
  lastError: 2_000,
  reason: 500,
} as const;

/** The most entries each list may have when stored; later ones are left out. */
export const LIST_LIMITS = { facts: 50, concepts: 20, files: 200 } as const;

/** Values nested deeper than this in a payload are replaced by a word. SQLite reads at most 1,000 levels. */
export const PAYLOAD_DEPTH = 100;
