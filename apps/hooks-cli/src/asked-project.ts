import { tmpdir } from 'node:os';
import { resolve } from 'node:path';
import { resolveProject } from '@claude-mem/host-adapters';
import { expandPath } from '@claude-mem/settings';
import type { CommandContext } from './command.js';

/** The project that `--project` names: a folder seen from here stands for the project it belongs to. Undefined: none was given. */
export function askedProject({
  options,
  cwd,
  home,
}: Pick<CommandContext, 'options' | 'cwd' | 'home'>): string | undefined {
  const project = options['project'];
  if (typeof project !== 'string') return undefined;
  if (!/^(\.{1,2}|~)(\/|$)/.test(project)) return project;
  const folder = project.startsWith('~') ? expandPath(project, home) : resolve(cwd, project);
  return resolveProject({ projectDir: null, cwd: folder }, { home, tmpDir: tmpdir() }).key;
}
