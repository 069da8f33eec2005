import type { ContextMaterial, Observation, Summary } from '@claude-mem/core';

export function observation(id: number, fields: Partial<Observation> = {}): Observation {
  return {
    id,
    uid: `uid-${id}`,
    sessionId: 1,
    projectId: 1,
    promptNumber: 1,
    type: 'discovery',
    title: `Record ${id}`,
    subtitle: null,
    narrative: null,
    facts: [],
    concepts: [],
    filesRead: [],
    filesModified: [],
    discoveryTokens: 0,
    contentHash: `hash-${id}`,
    source: 'observer',
    provider: 'local',
    model: null,
    agentId: null,
    agentType: null,
    pinned: false,
    supersededBy: null,
    createdAtEpoch: Date.UTC(2026, 10, 1) + id * 60_000,
    updatedAtEpoch: Date.UTC(2026, 10, 1) + id * 60_000,
    ...fields,
  };
}

export function summary(id: number, fields: Partial<Summary> = {}): Summary {
  return {
    id,
    uid: `uid-s${id}`,
    sessionId: id,
    projectId: 1,
    promptNumber: 1,
    request: null,
    investigated: null,
    learned: null,
    completed: null,
    nextSteps: null,
    notes: null,
    filesRead: [],
    filesEdited: [],
    createdAtEpoch: Date.UTC(2026, 10, 1) + id * 60_000,
    ...fields,
  };
}

export function material(parts: Partial<ContextMaterial> = {}): ContextMaterial {
  const observations = parts.observations ?? [];
  return {
    summaries: [],
    pinned: [],
    decisions: [],
    totalObservations: observations.length,
    ...parts,
    observations,
  };
}
