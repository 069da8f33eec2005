import { isAbsolute, resolve } from 'node:path';
import type { ToolUsed } from '@claude-mem/core';
import { absolutePathOf } from './absolute-path-of.js';
import type { AdapterOptions, HookEnv } from './host-adapter.js';
import { isInside, realPathOf, type RealPathReader } from './real-path.js';

/** Our own paths, and how links are resolved. @default uncached */
export type OwnPlaces = AdapterOptions & { follow?: RealPathReader };

const EVERY_TIME: RealPathReader = { folder: realPathOf, file: realPathOf };

/** Returns why an event belongs to our own observer, or null. */
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

/** Tool names of all hosts. */
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
/**
 * `mcp__SERVER__tool`, `mcp__plugin_PLUGIN_SERVER__tool`, `mcp_SERVER_tool` or `SERVER_tool`, depending on the host.
 */
const OWN_MCP_SERVER =
  /^(?:mcp__(?:plugin_claude[-_]mem_[A-Za-z0-9-]+|claude[-_]mem)__|(?:mcp_)?claude[-_]mem_)/;
/** Claude Code stores the summary of a session in a folder with this name. */
const SESSION_MEMORY =
  /(?:^|[\\/])session-memory[\\/]summary\.md$|[\\/]\.claude[\\/](?:projects[\\/][^\\/]+[\\/][^\\/]+[\\/])?session-memory[\\/]/;

/** Codex and OpenCode edit files with a patch that names them. */
const PATCH_TOOLS = new Set(['apply_patch', 'patch']);
const PATCH_FIELDS = ['command', 'input', 'patchText'];
const PATCHED_FILE = /^\*\*\* (?:(?:Add|Update|Delete) File|Move to): (.{1,4096})$/gm;
const MOST_PATCHED_FILES = 200;

/** Returns why a tool use concerns the memory itself, or null. */
export function memoryReason(
  { toolName, input, cwd }: Pick<ToolUsed, 'toolName' | 'input' | 'cwd'>,
  own: OwnPlaces,
): string | null {
  if (OWN_MCP_SERVER.test(toolName)) return 'calls our own memory tools';
  const isEdit = EDIT_TOOLS.has(toolName) || PATCH_TOOLS.has(toolName);
  for (const path of filesOf(toolName, input)) {
    if (isEdit && SESSION_MEMORY.test(path)) return 'edits a session-memory file';
    if (isOwnFile(path, cwd, own)) return "is about the memory's own files";
  }
  return null;
}

function isOwnFile(path: string, cwd: string | null, own: OwnPlaces): boolean {
  const { dataDir, home, follow = EVERY_TIME } = own;
  const absolute = absolutePathOf(path, { cwd, home });
  return absolute !== null && dataDir !== undefined && isInEither(absolute, dataDir, follow.file, follow);
}

function filesOf(toolName: string, input: unknown): readonly string[] {
  if (typeof input !== 'object' || input === null) return [];
  const fields = input as Record<string, unknown>;
  if (PATCH_TOOLS.has(toolName)) {
    const patch = PATCH_FIELDS.map((field) => fields[field]).find((value) => typeof value === 'string');
    const files = [...String(patch ?? '').matchAll(PATCHED_FILE)].map(([, file = '']) => file.trim());
    return [...new Set(files)].filter(isFileName).slice(0, MOST_PATCHED_FILES);
  }
  if (!FILE_TOOLS.has(toolName)) return [];
  return PATH_FIELDS.map((field) => fields[field])
    .filter(isFileName)
    .slice(0, 1);
}

const isFileName = (value: unknown): value is string =>
  typeof value === 'string' && value !== '' && value.length <= 4096 && !value.includes('\0');

function isInEither(
  path: string,
  folder: string,
  realPath: (path: string) => string,
  follow: RealPathReader,
): boolean {
  return isInside(resolve(path), resolve(folder)) || isInside(realPath(path), follow.folder(folder));
}
