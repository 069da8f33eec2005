import type { ContextMaterial } from '@claude-mem/core';
import type { OpenParts } from './open-parts.js';
import { readCount, requireObject, requireValue } from './read-request.js';

const MOST_OBSERVATIONS = 500;
const MOST_SUMMARIES = 50;

/** Null: no such project. */
export async function readContextMaterial(
  { store, projects, clock }: OpenParts,
  request: { project: string; observations?: number; summaries?: number },
): Promise<ContextMaterial | null> {
  requireObject(request);
  const [name = ''] = requireValue('project', request.project);
  const observations = readCount('observations', request.observations, 200, MOST_OBSERVATIONS);
  const summaries = readCount('summaries', request.summaries, 10, MOST_SUMMARIES);
  const [project] = await projects.find(name);
  const limits = { observations, summaries, now: clock.now() };
  return project ? store.contextMaterial({ projectId: project.id, ...limits }) : null;
}
