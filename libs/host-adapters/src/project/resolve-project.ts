import { basename, dirname, isAbsolute, join, parse, sep } from 'node:path';
import { NEUTRAL_PROJECT } from '@claude-mem/core';
import { realPathOf } from '../real-path.js';
import { findRepository } from './find-repository.js';
import { isNeutralWindowsPath, windowsPath } from './foreign-path.js';

/** Where an event belongs. */
export interface ProjectLocation {
  /** Identity: path of the main repository, else of the folder, with `/`; or the neutral project's. */
  key: string;
  /** Last part of the key, to be shown; never part of the identity. */
  name: string;
  /** What file paths in records are relative to: the checkout, else the folder. Null for the neutral project. */
  root: string | null;
}

/** Places that are no project. */
export interface ProjectPlaces {
  home: string;
  tmpDir: string;
}

/** The folders an event carries; the host's project folder wins over where a command happened to go. */
export interface EventFolders {
  projectDir: string | null;
  cwd: string | null;
}

/**
 * The project of an event: the main repository (worktrees and sub-folders share it), else the folder. The home folder, the temp
 * folder, a root, a tool's own folder and no folder at all give the neutral project. Folders that do not exist (any more) or
 * cannot be read are resolved as far as they can. Never throws.
 */
export function resolveProject(folders: EventFolders, places: ProjectPlaces): ProjectLocation {
  const folder = folders.projectDir ?? folders.cwd;
  return folder === null ? neutral() : locate(folder, places);
}

function locate(folder: string, places: ProjectPlaces): ProjectLocation {
  if (folder.includes('\0') || folder.length > 4096) return neutral();
  const foreign = sep === '/' ? windowsPath(folder) : null;
  if (foreign !== null) return locateForeign(foreign, places);
  const expanded = /^~(?=$|[/\\])/.test(folder) ? join(places.home, folder.slice(1)) : folder;
  if (!isAbsolute(expanded)) return neutral();
  const real = realPathOf(expanded);
  const isNowhere = nowhereIn(places);
  const repository = findRepository(real, { isBarrier: isNowhere });
  if (repository) return location(repository.main, repository.checkout);
  return isNowhere(real) || isToolFolder(real) ? neutral() : location(real, real);
}

function locateForeign(path: string, { home }: ProjectPlaces): ProjectLocation {
  if (isNeutralWindowsPath(path) || path === windowsPath(home) || isToolFolder(path)) return neutral();
  return location(path, path);
}

const ALWAYS_NOWHERE = ['/tmp', '/var/tmp', '/private/tmp', '/private/var/tmp', '/home', '/Users'];

function nowhereIn({ home, tmpDir }: ProjectPlaces): (folder: string) => boolean {
  const places = [home, tmpDir]
    .filter((place) => place !== '')
    .flatMap((place) => [place, realPathOf(place)]);
  const all = new Set([...ALWAYS_NOWHERE, ...places.map((place) => place.replace(/(?<=.)[\\/]+$/, ''))]);
  return (folder) => all.has(folder) || folder === parse(folder).root;
}

const TOOL_FOLDERS = new Set([
  '.claude',
  '.cursor',
  '.codex',
  '.gemini',
  '.opencode',
  '.claude-mem',
  '.vscode',
]);

/** Editors start in their own configuration folder when no project is open. */
function isToolFolder(folder: string): boolean {
  return folder.split(/[\\/]/).some((part) => TOOL_FOLDERS.has(part));
}

function location(main: string, root: string): ProjectLocation {
  const key = main.replaceAll('\\', '/').normalize('NFC');
  return { key, name: nameOf(key), root };
}

/** `repo` for `/x/repo`, `/x/repo.git` and `/x/repo/.bare`. */
function nameOf(key: string): string {
  const last = basename(key).replace(/(?<=.)\.git$/, '');
  const isHidden = last === '' || last.startsWith('.');
  const name = isHidden ? basename(dirname(key)) || last : last;
  return name.slice(0, 200);
}

const neutral = (): ProjectLocation => ({ ...NEUTRAL_PROJECT, root: null });
