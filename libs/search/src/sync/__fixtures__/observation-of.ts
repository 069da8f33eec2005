import { toFacts, type Observation } from '@claude-mem/core';

export function observationOf(id: number, fields: Partial<Observation> = {}): Observation {
  return {
    id,
    uid: `00000000-0000-7000-8000-${String(id).padStart(12, '0')}`,
    sessionId: 1,
    projectId: 1,
    promptNumber: 1,
    discoveryTokens: 0,
    contentHash: String(id),
    source: 'observer',
    provider: null,
    model: null,
    agentId: null,
    agentType: null,
    pinned: false,
    supersededBy: null,
    createdAtEpoch: 1_000 + id,
    updatedAtEpoch: 1_000 + id,
    type: 'discovery',
    title: `Title ${id}`,
    subtitle: null,
    narrative: `Narrative ${id}`,
    facts: toFacts([`Fact one of ${id}`, `Fact two of ${id}`], null),
    concepts: [],
    filesRead: [],
    filesModified: [],
    ...fields,
  };
}
