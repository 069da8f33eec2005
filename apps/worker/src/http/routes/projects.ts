import type { Clock, ProjectFinder } from '@claude-mem/core';
import { CONTEXT_MATERIAL, listOpenSummaries } from '@claude-mem/context-render';
import type { FastifyInstance } from 'fastify';
import type { NeedMemory } from '../../open-memory.js';
import { moveProject } from '../../projects/move-project.js';
import { found } from '../answers.js';
import { bindRoute } from '../bind-route.js';
import { dayName, dayOf, startOfDay } from '../day-name.js';

const LISTED_DAYS = 30;
const FILES = 20;
const PINNED = 20;
const SESSIONS = 10;
const PROJECT_DAYS = 90;

export async function projectRoutes(
  app: FastifyInstance,
  { memory, findProject, clock }: { memory: NeedMemory; findProject: ProjectFinder; clock: Clock },
): Promise<void> {
  bindRoute(app, 'listProjects', async ({ query }) => {
    const { utcOffset = 0 } = query ?? {};
    const { store, searching } = memory();
    const first = dayOf(clock.now(), utcOffset) - LISTED_DAYS + 1;
    const searched = await searching.memory();
    const [projects, days] = await Promise.all([
      store.listProjects(),
      searched.activity({ fromEpoch: startOfDay(first, utcOffset), utcOffsetMinutes: utcOffset }),
    ]);
    const activities = new Map(projects.map(({ id }) => [id, Array.from({ length: LISTED_DAYS }, () => 0)]));
    for (const { projectId, day, count } of days) {
      const activity = activities.get(projectId);
      // Records with a time in the future count for no day.
      if (activity && day - first < LISTED_DAYS) activity[day - first] = (activity[day - first] ?? 0) + count;
    }
    return {
      items: projects.map((project) => ({ ...project, activity: activities.get(project.id) ?? [] })),
      nextCursor: null,
    };
  });

  bindRoute(app, 'moveProject', async ({ body }) => {
    const { store, relocation, searching } = memory();
    const moved = await moveProject(body, { store, findProject, relocation });
    searching.wake();
    return moved;
  });

  bindRoute(app, 'projectDetail', async ({ params, query }) => {
    const { days = PROJECT_DAYS, utcOffset = 0 } = query ?? {};
    const { store, searching } = memory();
    const projects = await store.listProjects();
    const { sessions: sessionCount, ...project } = found(
      projects.find(({ id }) => id === params.id) ?? null,
      `project ${params.id}`,
    );
    const searched = await searching.memory();
    const first = dayOf(clock.now(), utcOffset) - days + 1;
    const [counts, activity, facets, material, sessions] = await Promise.all([
      store.projectCounts(project.id),
      searched.activity({
        projectIds: [project.id],
        fromEpoch: startOfDay(first, utcOffset),
        utcOffsetMinutes: utcOffset,
      }),
      searched.facets({ project: project.key, kinds: ['observation'] }),
      store.contextMaterial({
        projectId: project.id,
        ...CONTEXT_MATERIAL,
        observations: 0,
        now: clock.now(),
      }),
      store.listSessions({ projectId: project.id, limit: SESSIONS }),
    ]);
    return {
      project,
      counts: { sessions: sessionCount, observations: project.observations, ...counts },
      activity: activity.map(({ day, type, count }) => ({ day: dayName(day), type, count })),
      files: facets.files
        .slice(0, FILES)
        .map(({ value, count, lastEpoch }) => ({ path: value, count, lastEpoch })),
      nextSteps: listOpenSummaries(material.summaries).map(
        ({ id, sessionId, nextSteps, createdAtEpoch }) => ({
          summaryId: id,
          sessionId,
          text: nextSteps,
          createdAtEpoch,
        }),
      ),
      pinned: material.pinned.slice(0, PINNED),
      sessions: [...sessions.items],
    };
  });
}
