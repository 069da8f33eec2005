import { noSuchProject, projectNamed } from '@claude-mem/core';
import { projectFilter } from '../current-project.js';
import { text } from '../input/fields.js';
import type { ReadResult } from '../memory/create-fallback-reader.js';
import { SEARCH_ALL_PROJECTS } from '../memory/create-semantic-only-notes.js';
import type { ToolContext } from './tool.js';

export const projectField = text(
  'Name or folder of a project; "all" for every project. Default: the current one',
);

/** The projects that a call searches. */
export interface Scope {
  /** Key or name for the search. Undefined: all projects. */
  project: string | undefined;
  /** Displayed name. Null: all projects. */
  name: string | null;
  /** True when the agent did not set the project. */
  isDefault: boolean;
}

const ALL = /^(all|\*|any|every)$/i;
const CURRENT = /^(\.\/?|current|this|default)$/i;

export async function resolveScope(
  project: string | undefined,
  context: Pick<ToolContext, 'currentProject' | 'home'>,
): Promise<Scope> {
  if (project !== undefined && CURRENT.test(project)) return resolveScope(undefined, context);
  const { currentProject, home } = context;
  if (project !== undefined && ALL.test(project)) return { project: undefined, name: null, isDefault: false };
  if (project !== undefined)
    return { project: projectFilter(project, { home }), name: project, isDefault: false };
  const found = await currentProject();
  return { project: found?.key, name: found?.name ?? null, isDefault: true };
}

/** Explains why nothing was found, and suggests the next search. */
export async function explainNoResults(
  scope: Scope,
  { memory }: Pick<ToolContext, 'memory'>,
): Promise<string> {
  if (scope.project === undefined) return 'No results in any project.';
  const { value: projects } = await memory.read((reader) => reader.projects());
  if (projectNamed(projects, scope.project)) return `No results in ${scope.name}. ${SEARCH_ALL_PROJECTS}`;
  if (scope.isDefault) return `No records of ${scope.name} yet. ${SEARCH_ALL_PROJECTS}`;
  return `${noSuchProject(scope.name ?? '', projects)} ${SEARCH_ALL_PROJECTS}`;
}

/** Returns notes about degraded results. */
export function listNotes({ value, fallbackReason }: ReadResult<{ notes: readonly string[] }>): string[] {
  return [...(fallbackReason === null ? [] : [formatFallback(fallbackReason)]), ...value.notes];
}

export const formatFallback = (reason: string) => `read from the database: ${reason}`;
