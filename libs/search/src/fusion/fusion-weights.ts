/** What each signal counts; each lies between 0 and 1, and the best by words alone has the score 1. */
export const FUSION_WEIGHTS = {
  lexical: 1,
  semantic: 0.35,
  files: 0.5,
  neighbours: 0.2,
  session: 0.15,
  recency: 0.04,
} as const;

/** After this time recency counts half. */
export const RECENCY_HALF_LIFE_DAYS = 10;
/** Documents before and after, in the same session, that count as neighbours. */
export const NEIGHBOUR_WINDOW = 2;

/** The same for whole sessions: by their best record, and by all of them. */
export const SESSION_WEIGHTS = { best: 1, sum: 0.5, semantic: 0.35, recency: 0.04 } as const;
