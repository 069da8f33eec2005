import type { ContextMaterial, Observation } from '@claude-mem/core';
import { titleKey, type SkippedRecord } from './rank-observations.js';

/** Context that the host reads from a file of the project. */
export interface AlreadyProvided {
  /** Ids of the observations in the block. */
  shown: readonly number[];
  tokens: number;
  /** The claude-mem block of the file. */
  text: string;
}

interface Selection {
  material: ContextMaterial;
  onBranch: readonly Observation[];
}

/** Removes the records that the host reads from a file, and records with the same title. */
export function removeProvided(
  { material, onBranch }: Selection,
  provided: AlreadyProvided | null,
): Selection & { skipped: SkippedRecord[] } {
  if (provided === null) return { material, onBranch, skipped: [] };
  const ids = new Set(provided.shown);
  const all = [...material.pinned, ...material.decisions, ...material.observations, ...onBranch];
  const titles = new Set(all.filter(({ id }) => ids.has(id)).map(titleKey));
  const isProvided = (observation: Observation) =>
    ids.has(observation.id) || titles.has(titleKey(observation));
  const isNew = (observation: Observation) => !isProvided(observation);
  const providedIds = new Set(all.filter(isProvided).map(({ id }) => id));
  return {
    material: {
      ...material,
      pinned: material.pinned.filter(isNew),
      decisions: material.decisions.filter(isNew),
      observations: material.observations.filter(isNew),
    },
    onBranch: onBranch.filter(isNew),
    skipped: [...providedIds].map((id) => ({ id, reason: 'in a file that the host reads itself' })),
  };
}
