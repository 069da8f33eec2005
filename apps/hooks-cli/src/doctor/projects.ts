import { ClaudeMemError, NEUTRAL_PROJECT, shellWord } from '@claude-mem/core';
import { isFolderMissing } from '@claude-mem/host-adapters';
import { formatCount } from '../format-count.js';
import { openOfflineMemory } from '../offline-memory.js';
import { ok, warn, type Check } from './check.js';

const MAX_NAMED = 5;

/** Checks that the folder of every project exists. After a move, sessions in the new folder do not get the records of the old one. */
export const projectsCheck: Check = {
  title: 'projects',
  async run(context) {
    const projects = await listProjects(context);
    if (projects === null) return null;
    const missing: typeof projects = [];
    for (const project of projects) if (await isFolderMissing(project.key)) missing.push(project);
    if (missing.length === 0) return ok(`${formatCount(projects.length, 'project')} with records`);
    const named = missing
      .slice(0, MAX_NAMED)
      .map(({ key, observations }) => `${key} (${formatCount(observations, 'observation')})`);
    const more = missing.length > MAX_NAMED ? [`and ${missing.length - MAX_NAMED} more`] : [];
    const old = missing.length === 1 && missing[0] ? shellWord(missing[0].key) : 'OLD';
    return warn(
      ['These folders of projects do not exist:', ...named, ...more].join('\n'),
      `If a folder was moved, run: claude-mem project move ${old} NEW. ` +
        `If its records are not needed, run: claude-mem forget --project ${old}`,
    );
  },
};

/** Returns null when the database is missing or unreadable, which another check reports. */
async function listProjects(context: Parameters<Check['run']>[0]) {
  try {
    await using memory = openOfflineMemory(context);
    const projects = (await memory?.store.listProjects()) ?? null;
    return (
      projects?.filter(({ key, observations }) => key !== NEUTRAL_PROJECT.key && observations > 0) ?? null
    );
  } catch (error) {
    if (ClaudeMemError.isInstance(error)) return null;
    throw error;
  }
}
