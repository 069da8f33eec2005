/** Maximum UTF-16 code units of a reply and of each field, and maximum items of each list. */
export const LIMITS = {
  reply: 300_000,
  observations: 50,
  issues: 200,
  title: 200,
  subtitle: 300,
  narrative: 8_000,
  fact: 1_000,
  facts: 50,
  concept: 60,
  concepts: 20,
  file: 500,
  files: 100,
  summaryField: 4_000,
} as const;
