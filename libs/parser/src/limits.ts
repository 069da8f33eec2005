/** Most UTF-16 units per field, and most items per list, of one record. */
export const LIMITS = {
  reply: 300_000,
  observations: 50,
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
