import type { Observation } from '@claude-mem/core';

/** Returns an observation for tests, with the given fields and default values. */
export function observationOf(given: Partial<Observation> & { id: number }): Observation {
  return {
    uid: `uid-${given.id}`,
    sessionId: 1,
    projectId: 1,
    promptNumber: 1,
    type: 'discovery',
    title: `Title ${given.id}`,
    subtitle: null,
    narrative: null,
    facts: [],
    concepts: [],
    filesRead: [],
    filesModified: [],
    discoveryTokens: 0,
    contentHash: '',
    source: 'observer',
    provider: null,
    model: null,
    agentId: null,
    agentType: null,
    pinned: false,
    supersededBy: null,
    createdAtEpoch: 1_000,
    updatedAtEpoch: 1_000,
    ...given,
  };
}
