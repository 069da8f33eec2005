/** What each signal counts; each lies between 0 and 1, the best that was found being 1. Those of words and meaning are in `weighArms`. */
export const FUSION_WEIGHTS = {
  /** Of the given files, the share that a record touched. */
  files: 1,
  /** The whole session that a record stands in. */
  session: 0.8,
  /** Of a session: all that it holds as one text. */
  sessionAsOne: 1,
  /** Of a session: the share of the given files that anything in it touched. */
  sessionFiles: 1,
  /** Of a session: little beside what it holds. */
  recency: 0.1,
} as const;

/** What the records before and behind, in the same session, count: the nearest first. */
export const NEIGHBOUR_WEIGHTS = { before: [0.3, 0.1], after: [0.12, 0.06] } as const;

/** After this time recency counts half. */
export const RECENCY_HALF_LIFE_DAYS = 14;

/** How a session is scored as one text: how soon repetition counts less. */
export const SESSION_AS_ONE = { saturation: 3 } as const;
