import { existsSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, parse, sep } from 'node:path';
import { NEUTRAL_PROJECT, toSingleLine } from '@claude-mem/core';
import { isInside, realPathOf } from '../real-path.js';
import { findRepository, isSameFile } from './find-repository.js';
import { isNeutralWindowsPath, windowsPath } from './foreign-path.js';

/** The project of an event. */
export interface ProjectLocation {
  /**
   * The identity: path of the main repository, or else of the folder, with `/`, in NFC if that names the same folder;
   * or the neutral project's.
   */
  key: string;
  /** Last part of the key, for display only. */
  name: string;
  /** The base of file paths in records: the checkout, or else the folder. Null for the neutral project. */
  root: string | null;
}

/** Folders that are not projects. */
export interface ProjectPlaces {
  home: string;
  tmpDir: string;
}

/** The folders of an event. */
export interface EventFolders {
  /** The host's project folder. It may come from the environment, which a third party may have set. */
  projectDir: string | null;
  cwd: string | null;
}

/**
 * Resolves the project of an event: the main repository (shared by worktrees and sub-folders), or else the folder.
 * The home folder, the temporary folder, a root, a tool's own folder and no folder result in the neutral project. The
 * host's project folder is used when the current folder is in it or in the same repository. Missing and unreadable
 * folders are resolved as far as possible. Never throws.
 */
export function resolveProject({ projectDir, cwd }: EventFolders, places: ProjectPlaces): ProjectLocation {
  const outer = absoluteOf(projectDir, places);
  const current = absoluteOf(cwd, places);
  if (outer === null || current === null) return locate(outer ?? current, places);
  const project = locate(outer, places);
  if (isInside(current, outer)) return project;
  const found = locate(current, places);
  return found.key === project.key ? project : found;
}

/** Returns null for a path that cannot exist on this machine. */
function absoluteOf(folder: string | null, { home }: ProjectPlaces): string | null {
  if (folder === null || folder.includes('\0') || folder.length > 4096) return null;
  const foreign = sep === '/' ? windowsPath(folder) : null;
  if (foreign !== null) return foreign;
  const expanded = /^~(?=$|[/\\])/.test(folder) ? join(home, folder.slice(1)) : folder;
  return isAbsolute(expanded) ? realPathOf(expanded) : null;
}

function locate(folder: string | null, places: ProjectPlaces): ProjectLocation {
  if (folder === null) return neutral();
  if (sep === '/' && windowsPath(folder) !== null) return locateForeign(folder, places);
  const isNowhere = nowhereIn(places);
  const repository = findRepository(folder, { isBarrier: isNowhere });
  if (repository) return location(repository.main, repository.checkout);
  return isNowhere(folder) || isToolFolder(folder) ? neutral() : location(folder, folder);
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
  const key = composedUnlessOther(main).replaceAll('\\', '/');
  return { key, name: nameOf(key), root };
}

/** In NFC, unless the file system distinguishes both forms, because then both folders can exist. */
function composedUnlessOther(path: string): string {
  const composed = path.normalize('NFC');
  return composed === path || isSameFile(path, composed) || !existsSync(path) ? composed : path;
}

/** Returns `repo` for `/x/repo`, `/x/repo.git` and `/x/repo/.bare`. */
function nameOf(key: string): string {
  const last = basename(key).replace(/(?<=.)\.git$/, '');
  const isHidden = last === '' || last.startsWith('.');
  const name = isHidden ? basename(dirname(key)) || last : last;
  return toSingleLine(name).slice(0, 200);
}

const neutral = (): ProjectLocation => ({ ...NEUTRAL_PROJECT, root: null });
