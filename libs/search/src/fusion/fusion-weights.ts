/** What each signal counts beside the words, whose best match counts 1. Each signal lies between 0 and 1. */
export const FUSION_WEIGHTS = {
  semantic: 0.4,
  files: 1,
  /** The whole session that a record stands in; for a session, what it holds as one text. */
  session: 0.8,
  sessionAsOne: 1,
  recency: 0.04,
} as const;

/** What the records before and behind, in the same session, count: the nearest first. */
export const NEIGHBOUR_WEIGHTS = { before: [0.3, 0.1], after: [0.15, 0.1] } as const;

/** After this time recency counts half. */
export const RECENCY_HALF_LIFE_DAYS = 14;

/** How a session is scored as one text: how soon repetition counts less, and how much length does. */
export const SESSION_AS_ONE = { saturation: 3, lengthShare: 0.6 } as const;
