import type { ContextMaterial, Observation } from '@claude-mem/core';
import { titleKey, type LeftOut } from './rank-observations.js';

/** What an agent reads anyway, in a file of the project. */
export interface ToldAlready {
  /** Ids of the observations in it. */
  shown: readonly number[];
  tokens: number;
  /** The newest summary that it knows of. */
  summary: number | null;
}

/** The material without what the agent is told anyway: those records, what says the same, and where it stands, unless that is older by now. */
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
      summaries: material.summaries[0]?.id === told.summary ? [] : material.summaries,
      pinned: material.pinned.filter((observation) => !isTold(observation)),
      observations: material.observations.filter((observation) => !isTold(observation)),
    },
    leftOut: [...left].map((id) => ({ id, reason: 'in a file that the host reads itself' })),
  };
}
