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

/** The material without the records that the agent is told of anyway, and without what says the same. */
export function withoutTold(
  material: ContextMaterial,
  told: ToldAlready | null,
): { material: ContextMaterial; leftOut: LeftOut[] } {
  if (told === null) return { material, leftOut: [] };
  const ids = new Set(told.shown);
  const all = [...material.pinned, ...material.observations];
  const titles = new Set(all.filter(({ id }) => ids.has(id)).map(titleKey));
  const isTold = (observation: Observation) => ids.has(observation.id) || titles.has(titleKey(observation));
  const left = new Set(all.filter(isTold).map(({ id }) => id));
  return {
    material: {
      ...material,
      pinned: material.pinned.filter((observation) => !isTold(observation)),
      observations: material.observations.filter((observation) => !isTold(observation)),
    },
    leftOut: [...left].map((id) => ({ id, reason: 'in a file that the host reads itself' })),
  };
}
