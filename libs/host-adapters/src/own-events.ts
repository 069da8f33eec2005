import { isAbsolute, join, resolve } from 'node:path';
import type { ToolUsed } from '@claude-mem/core';
import type { AdapterOptions, HookEnv } from './host-adapter.js';
import { isInside, realPathOf, type RealPathReader } from './real-path.js';

/** Our own places, and how links are followed to them. @default every time anew */
export type OwnPlaces = AdapterOptions & { follow?: RealPathReader };

const EVERY_TIME: RealPathReader = { folder: realPathOf, file: realPathOf };

/** Why an event comes from our own observer, or null. */
export function observerReason(
  { cwd, projectDir, env }: { cwd: string | null; projectDir: string | null; env: HookEnv },
  { observerDir, follow = EVERY_TIME }: OwnPlaces,
): string | null {
  const marker = env['observer'] ?? env['CLAUDE_MEM_OBSERVER'] ?? '';
  if (marker !== '' && marker !== '0' && marker !== 'false') return 'comes from our own observer';
  if (observerDir === undefined) return null;
  const folders = [cwd, projectDir].filter((folder) => folder !== null && isAbsolute(folder));
  return folders.some((folder) => isInEither(folder as string, observerDir, follow.folder, follow))
    ? "comes from our own observer's folder"
    : null;
}

/** Names of all hosts. */
const EDIT_TOOLS = new Set([
  'Write',
  'Edit',
  'MultiEdit',
  'NotebookEdit',
  'StrReplace',
  'EditNotebook',
  'Delete',
  'write_file',
  'replace',
  'write',
  'edit',
]);
const FILE_TOOLS = new Set([...EDIT_TOOLS, 'Read', 'read_file', 'read']);
const PATH_FIELDS = ['file_path', 'filePath', 'notebook_path', 'target_notebook', 'path'];
/** `mcp__SERVER__tool`, `mcp_SERVER_tool` or `SERVER_tool`, as the host builds it. */
const OWN_MCP_SERVER = /^(?:mcp__(?:.*[_-])?claude[-_]mem(?:[_-].*)?__|(?:mcp_)?claude[-_]mem_)/;

/** Why a tool use is about the memory itself, or null. */
export function memoryReason(
  { toolName, input, cwd }: Pick<ToolUsed, 'toolName' | 'input' | 'cwd'>,
  { dataDir, home, follow = EVERY_TIME }: OwnPlaces,
): string | null {
  if (OWN_MCP_SERVER.test(toolName)) return 'calls our own memory tools';
  if (!FILE_TOOLS.has(toolName)) return null;
  const path = filePathOf(input);
  if (path === null) return null;
  if (EDIT_TOOLS.has(toolName) && /(?:^|[\\/])session-memory[\\/]/.test(path)) {
    return 'edits a session-memory file';
  }
  const expanded = path.startsWith('~/') && home ? join(home, path.slice(2)) : path;
  if (!isAbsolute(expanded) && cwd === null) return null;
  const absolute = resolve(cwd ?? '/', expanded);
  return dataDir !== undefined && isInEither(absolute, dataDir, follow.file, follow)
    ? "is about the memory's own files"
    : null;
}

function filePathOf(input: unknown): string | null {
  if (typeof input !== 'object' || input === null) return null;
  for (const field of PATH_FIELDS) {
    const value = (input as Record<string, unknown>)[field];
    if (typeof value === 'string' && value !== '' && value.length <= 4096 && !value.includes('\0'))
      return value;
  }
  return null;
}

function isInEither(
  path: string,
  folder: string,
  realPath: (path: string) => string,
  follow: RealPathReader,
): boolean {
  return isInside(resolve(path), resolve(folder)) || isInside(realPath(path), follow.folder(folder));
}
