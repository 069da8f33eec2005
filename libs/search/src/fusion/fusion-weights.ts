/**
 * Weights of the signals. Each signal is between 0 and 1, and 1 for the best result. `weighArms` contains the weights
 * of words and vectors.
 */
export const FUSION_WEIGHTS = {
  /** Share of the given files that a record touched. */
  files: 1,
  /** The session of a record as a whole. */
  session: 0.8,
  /** For a session: all its records as one text. */
  sessionAsOne: 1,
  /** For a session: the share of the given files that any of its records touched. */
  sessionFiles: 1,
  /** For a session: small compared with its content. */
  recency: 0.1,
} as const;

/** Weights of the neighbouring records in the same session, nearest first. */
export const NEIGHBOUR_WEIGHTS = { before: [0.3, 0.1], after: [0.12, 0.06] } as const;

/** Half-life of recency. */
export const RECENCY_HALF_LIFE_DAYS = 14;

/** Parameters of the session text score: how fast repetition saturates. */
export const SESSION_AS_ONE = { saturation: 3 } as const;
