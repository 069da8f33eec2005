import { existsSync, lstatSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock, Project, Store } from '@claude-mem/core';
import {
  CONTEXT_MATERIAL,
  renderFolderBlock,
  renderProjectBlock,
  type SessionContext,
  type TypeEmojis,
} from '@claude-mem/context-render';
import { chooseFolders, isPlainFolder } from './choose-folders.js';
import type { Checkout } from './git.js';
import type { ContextFileKind } from './ledger.js';
import { RULES_FOLDER, RULES_PATH } from './rules-frame.js';

/** Which context files are written, and how they are formatted. */
export interface ContextFileOptions {
  claudeMd: boolean;
  claudeMdFolders: boolean;
  /** `auto`: where Cursor is used. */
  cursorRules: 'auto' | 'true' | 'false';
  /** Most tokens of the rules file, which is to Cursor what the start of a session tells other hosts. */
  rulesTokens: number;
  timeZone: string;
  emojis: TypeEmojis;
}

export interface WantedFile {
  kind: ContextFileKind;
  /** Relative to the root, with `/`. */
  path: string;
  rendered: SessionContext;
}

export type ContextFileStore = Pick<
  Store,
  'findProject' | 'contextMaterial' | 'listSessions' | 'getSession' | 'getProject'
>;

const MOST_SESSIONS = 50;

/** The files that a checkout should have now, each with something to say. */
export async function wantedFiles({
  store,
  project,
  root,
  fileOptions,
  checkout,
  isCursorInstalled,
  clock,
}: {
  store: ContextFileStore;
  project: Project;
  root: string;
  fileOptions: ContextFileOptions;
  checkout: Checkout | null;
  isCursorInstalled: () => boolean;
  clock: Clock;
}): Promise<WantedFile[]> {
  const { claudeMd, claudeMdFolders, timeZone, emojis } = fileOptions;
  const wantsRules = await areRulesWanted();
  if (!claudeMd && !claudeMdFolders && !wantsRules) return [];
  const material = await store.contextMaterial({
    projectId: project.id,
    ...CONTEXT_MATERIAL,
    now: clock.now(),
  });
  const forProject = { project: project.name, material, timeZone, emojis };
  const files: WantedFile[] = [];
  if (claudeMd)
    files.push({ kind: 'claude-md', path: 'CLAUDE.md', rendered: renderProjectBlock(forProject) });
  if (wantsRules)
    files.push({
      kind: 'cursor-rules',
      path: RULES_PATH,
      rendered: renderProjectBlock({ ...forProject, maxTokens: fileOptions.rulesTokens }),
    });
  if (claudeMdFolders)
    for (const { folder, observations } of await folders()) {
      await breathe();
      files.push({
        kind: 'claude-md-folder',
        path: `${folder}/CLAUDE.md`,
        rendered: renderFolderBlock({ folder, observations, timeZone, emojis }),
      });
    }
  return files.filter(({ rendered }) => rendered.text !== '');

  async function areRulesWanted(): Promise<boolean> {
    if (fileOptions.cursorRules !== 'auto') return fileOptions.cursorRules === 'true';
    // nobody asked for it, so there is nothing to complain of
    if (obstacleTo('cursor-rules', root) !== null) return false;
    if (existsSync(join(root, '.cursor')) && isCursorInstalled()) return true;
    const { items } = await store.listSessions({ projectId: project.id, limit: MOST_SESSIONS });
    return items.some(({ host }) => host === 'cursor');
  }

  async function folders() {
    const chosen = chooseFolders(root, [...material.pinned, ...material.observations]);
    const ignored = await checkout?.ignored(chosen.map(({ folder }) => folder));
    // where that cannot be told there is no new file anyway, and what is there is not taken away for it
    return chosen.filter(({ folder }) => !ignored?.has(folder));
  }
}

/** Hooks get their turn between the files. */
export const breathe = () => new Promise<void>((resolve) => setImmediate(resolve));

/** A repository without a work tree has no place for files. */
export const isBareRepository = (root: string): boolean =>
  existsSync(join(root, 'HEAD')) && existsSync(join(root, 'objects')) && existsSync(join(root, 'refs'));

/** Why no file of the kind can be made in the root; null when it can. */
export function obstacleTo(kind: ContextFileKind, root: string): string | null {
  if (kind !== 'cursor-rules') return null;
  const existing = [RULES_FOLDER, '.cursor'].find((folder) => isThere(join(root, folder)));
  if (existing === undefined || isPlainFolder(root, existing)) return null;
  return `${existing} is a link, or leads out of the project`;
}

const isThere = (path: string) => lstatSync(path, { throwIfNoEntry: false }) !== undefined;
