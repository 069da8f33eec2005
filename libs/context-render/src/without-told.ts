import type { ContextMaterial, Observation } from '@claude-mem/core';
import { titleKey, type LeftOut } from './rank-observations.js';

/** What an agent reads anyway, in a file of the project. */
export interface ToldAlready {
  /** Ids of the observations in it. */
  shown: readonly number[];
  tokens: number;
  /** The block as it stands there. */
  text: string;
}

interface Choice {
  material: ContextMaterial;
  onBranch: readonly Observation[];
}

/** What there is to choose from without the records that the agent is told of anyway, and without what says the same. */
export function withoutTold(
  { material, onBranch }: Choice,
  told: ToldAlready | null,
): Choice & { leftOut: LeftOut[] } {
  if (told === null) return { material, onBranch, leftOut: [] };
  const ids = new Set(told.shown);
  const all = [...material.pinned, ...material.observations, ...onBranch];
  const titles = new Set(all.filter(({ id }) => ids.has(id)).map(titleKey));
  const isTold = (observation: Observation) => ids.has(observation.id) || titles.has(titleKey(observation));
  const isNew = (observation: Observation) => !isTold(observation);
  const left = new Set(all.filter(isTold).map(({ id }) => id));
  return {
    material: {
      ...material,
      pinned: material.pinned.filter(isNew),
      observations: material.observations.filter(isNew),
    },
    onBranch: onBranch.filter(isNew),
    leftOut: [...left].map((id) => ({ id, reason: 'in a file that the host reads itself' })),
  };
}
