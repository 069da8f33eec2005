import type { ObservationDraft } from '@claude-mem/core';

export const EMPTY_OBSERVATION: ObservationDraft = {
  type: 'discovery',
  title: null,
  subtitle: null,
  narrative: null,
  facts: [],
  concepts: [],
  filesRead: [],
  filesModified: [],
};
