import { tmpdir } from 'node:os';
import { resolve } from 'node:path';
import { resolveProject } from '@claude-mem/host-adapters';
import { expandPath } from '@claude-mem/settings';
import type { CommandContext } from './command.js';

export type ProjectContext = Pick<CommandContext, 'options' | 'cwd' | 'home'>;

/** The project that `--project` names: a folder seen from here stands for the project it belongs to. Undefined: none was given. */
export function askedProject({ options, cwd, home }: ProjectContext): string | undefined {
  const project = options['project'];
  if (typeof project !== 'string') return undefined;
  if (!/^(\.{1,2}|~)(\/|$)/.test(project)) return project;
  const folder = project.startsWith('~') ? expandPath(project, home) : resolve(cwd, project);
  return projectOf(folder, home).key;
}

/** The name of the project whose folder this is. */
export const currentProject = ({ cwd, home }: Pick<ProjectContext, 'cwd' | 'home'>): string =>
  projectOf(cwd, home).name;

const projectOf = (cwd: string, home: string) =>
  resolveProject({ projectDir: null, cwd }, { home, tmpDir: tmpdir() });
