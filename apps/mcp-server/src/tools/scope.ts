import { noSuchProject, projectNamed } from '@claude-mem/core';
import { projectFilter } from '../current-project.js';
import { text } from '../input/fields.js';
import type { Answer } from '../memory/create-memory-questions.js';
import { SEARCH_ALL_PROJECTS } from '../memory/nearest-only.js';
import type { ToolContext } from './tool.js';

export const projectField = text(
  'Name or folder of a project; "all" for every project. Default: the current one',
);

/** Which projects a question is about. */
export interface Scope {
  /** Key or name, as a search takes it; undefined: all projects. */
  project: string | undefined;
  /** How it is shown; null: all projects. */
  name: string | null;
  /** True when the agent did not name it. */
  isDefault: boolean;
}

const ALL = /^(all|\*|any|every)$/i;
const HERE = /^(\.\/?|current|this|default)$/i;

export async function scopeOf(
  given: string | undefined,
  context: Pick<ToolContext, 'here' | 'home'>,
): Promise<Scope> {
  if (given !== undefined && HERE.test(given)) return scopeOf(undefined, context);
  const { here, home } = context;
  if (given !== undefined && ALL.test(given)) return { project: undefined, name: null, isDefault: false };
  if (given !== undefined) return { project: projectFilter(given, { home }), name: given, isDefault: false };
  const found = await here();
  return { project: found?.key, name: found?.name ?? null, isDefault: true };
}

/** Why a question found nothing, and how to ask on. */
export async function nothingFound(scope: Scope, { memory }: Pick<ToolContext, 'memory'>): Promise<string> {
  if (scope.project === undefined) return 'No results in any project.';
  const { value: projects } = await memory.ask((reader) => reader.projects());
  if (projectNamed(projects, scope.project)) return `No results in ${scope.name}. ${SEARCH_ALL_PROJECTS}`;
  if (scope.isDefault) return `No records of ${scope.name} yet. ${SEARCH_ALL_PROJECTS}`;
  return `${noSuchProject(scope.name ?? '', projects)} ${SEARCH_ALL_PROJECTS}`;
}

/** Sentences on what an answer had to do without. */
export function notesOf({ value, without }: Answer<{ notes: readonly string[] }>): string[] {
  return [...(without === null ? [] : [readWithout(without)]), ...value.notes];
}

export const readWithout = (reason: string) => `read from the database: ${reason}`;
