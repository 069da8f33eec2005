import { tmpdir } from 'node:os';
import { resolve } from 'node:path';
import { resolveProject } from '@claude-mem/host-adapters';
import { expandPath } from '@claude-mem/settings';
import type { CommandContext } from './command.js';

export type ProjectContext = Pick<CommandContext, 'options' | 'cwd' | 'home'>;

/** Returns the value of `--project`, with a relative folder replaced by the key of its project. Undefined when not set. */
export function requestedProject({ options, cwd, home }: ProjectContext): string | undefined {
  const project = options['project'];
  if (typeof project !== 'string') return undefined;
  if (!/^(\.{1,2}|~)(\/|$)/.test(project)) return project;
  const folder = project.startsWith('~') ? expandPath(project, home) : resolve(cwd, project);
  return projectOf(folder, home).key;
}

/** Returns the name of the project of the current folder. */
export const currentProjectName = ({ cwd, home }: Pick<ProjectContext, 'cwd' | 'home'>): string =>
  projectOf(cwd, home).name;

const projectOf = (cwd: string, home: string) =>
  resolveProject({ projectDir: null, cwd }, { home, tmpDir: tmpdir() });
