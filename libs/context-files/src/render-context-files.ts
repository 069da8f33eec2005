import { existsSync, lstatSync } from 'node:fs';
import { join } from 'node:path';
import { yieldToEventLoop, type Clock, type Project, type Store } from '@claude-mem/core';
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
  /** `auto`: only in projects where Cursor is used. */
  cursorRules: 'auto' | 'true' | 'false';
  /** Maximum tokens of the rules file, which replaces the context at session start for Cursor. */
  rulesTokens: number;
  timeZone: string;
  emojis: TypeEmojis;
}

export interface RenderedFile {
  kind: ContextFileKind;
  /** Relative to the root, with `/`. */
  path: string;
  rendered: SessionContext;
}

export type ContextFileStore = Pick<
  Store,
  'findProject' | 'contextMaterial' | 'listSessions' | 'getSession' | 'getProject'
>;

const MAX_SESSIONS = 50;

/** Renders the context files that a checkout should have now. Skips files without content. */
export async function renderContextFiles({
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
}): Promise<RenderedFile[]> {
  const { claudeMd, claudeMdFolders, timeZone, emojis } = fileOptions;
  const needsRulesFile = await isRulesFileNeeded();
  if (!claudeMd && !claudeMdFolders && !needsRulesFile) return [];
  const material = await store.contextMaterial({
    projectId: project.id,
    ...CONTEXT_MATERIAL,
    now: clock.now(),
  });
  const forProject = { project: project.name, material, timeZone, emojis };
  const files: RenderedFile[] = [];
  if (claudeMd)
    files.push({ kind: 'claude-md', path: 'CLAUDE.md', rendered: renderProjectBlock(forProject) });
  if (needsRulesFile)
    files.push({
      kind: 'cursor-rules',
      path: RULES_PATH,
      rendered: renderProjectBlock({ ...forProject, maxTokens: fileOptions.rulesTokens }),
    });
  if (claudeMdFolders)
    for (const { folder, observations } of await folders()) {
      await yieldToEventLoop();
      files.push({
        kind: 'claude-md-folder',
        path: `${folder}/CLAUDE.md`,
        rendered: renderFolderBlock({ folder, observations, timeZone, emojis }),
      });
    }
  return files.filter(({ rendered }) => rendered.text !== '');

  async function isRulesFileNeeded(): Promise<boolean> {
    if (fileOptions.cursorRules !== 'auto') return fileOptions.cursorRules === 'true';
    // with `auto`, the user did not request the file, so an obstacle is not reported
    if (findObstacle('cursor-rules', root) !== null) return false;
    if (existsSync(join(root, '.cursor')) && isCursorInstalled()) return true;
    const { items } = await store.listSessions({ projectId: project.id, limit: MAX_SESSIONS });
    return items.some(({ host }) => host === 'cursor');
  }

  async function folders() {
    const selected = chooseFolders(root, [...material.pinned, ...material.observations]);
    const ignored = await checkout?.ignored(selected.map(({ folder }) => folder));
    // when git fails, no new file is created later, and existing files are kept
    return selected.filter(({ folder }) => !ignored?.has(folder));
  }
}

export const isBareRepository = (root: string): boolean =>
  existsSync(join(root, 'HEAD')) && existsSync(join(root, 'objects')) && existsSync(join(root, 'refs'));

/** Returns why no file of the kind can be created in the root, or null. */
export function findObstacle(kind: ContextFileKind, root: string): string | null {
  if (kind !== 'cursor-rules') return null;
  const existing = [RULES_FOLDER, '.cursor'].find((folder) => exists(join(root, folder)));
  if (existing === undefined || isPlainFolder(root, existing)) return null;
  return `${existing} is a link or is not inside the project`;
}

const exists = (path: string) => lstatSync(path, { throwIfNoEntry: false }) !== undefined;
