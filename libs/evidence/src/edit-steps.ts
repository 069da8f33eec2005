import type { ObservedToolUse } from '@claude-mem/core';
import type { FileStep } from './file-step.js';
import { isTruncated } from './is-truncated.js';
import { getField, getList, getText } from './json-fields.js';
import { diffLines, lineKey } from './diff-lines.js';
import { readPatch } from './patch-steps.js';
import type { PathReader } from './project-paths.js';
import { readDeclaration, isProseFile } from './declarations.js';

const EDIT_TOOLS = new Set([
  'edit',
  'replace',
  'multiedit',
  'write',
  'writefile',
  'notebookedit',
  'applypatch',
  'patch',
  'strreplacebasededittool',
  'editfile',
  'createfile',
  'insert',
  'strreplace',
  'editnotebook',
]);
const DELETE_TOOLS = new Set(['delete', 'deletefile']);

/** Returns true for the editing tools of all hosts. Case and separators of the name are ignored. */
export function isEditTool(toolName: string): boolean {
  return EDIT_TOOLS.has(plainName(toolName)) || DELETE_TOOLS.has(plainName(toolName));
}

const plainName = (toolName: string) => toolName.toLowerCase().replace(/[^a-z]/g, '');

/** Reads the file steps of one successful call of an editing tool. */
export function readEditSteps(use: ObservedToolUse, readPath: PathReader): FileStep[] {
  const patch = [
    getText(use.input, 'input', 'patch', 'command', 'patchText'),
    typeof use.input === 'string' ? use.input : null,
  ].find((text) => text?.includes('*** Begin Patch'));
  if (patch) return readPatch(patch, (word) => readPath(word, use.cwd));
  const named =
    getText(use.input, 'file_path', 'filePath', 'notebook_path', 'path', 'file') ??
    getText(use.response, 'filePath', 'file_path');
  const path = named === null ? null : readPath(named, use.cwd);
  if (path === null) return [];
  if (DELETE_TOOLS.has(plainName(use.toolName))) return [{ kind: 'delete', path }];
  const original = readOriginal(use);
  const changes = readReplacements(use);
  if (changes.length > 0) {
    const differences = changes.map(({ before, after }) =>
      isTruncated(before) || isTruncated(after) ? { removed: [], added: [] } : diffLines(before, after),
    );
    const removed = differences.flatMap((difference) => difference.removed);
    const added = differences.flatMap((difference) => difference.added);
    const declarations = changes.flatMap((change, index) =>
      findEnclosing(change, differences[index]!, original, path),
    );
    return [
      {
        kind: 'edit',
        path,
        removed,
        added,
        isNew: changes.every(({ before }) => before === '') ? null : false,
        declarations,
      },
    ];
  }
  const content = getText(use.input, 'content', 'file_text', 'new_source', 'contents');
  if (content === null)
    return [{ kind: 'edit', path, removed: [], added: [], isNew: null, declarations: [] }];
  const isNew = getText(use.response, 'type') === 'create' ? true : original === null ? null : false;
  const isComplete = original !== null && !isTruncated(original) && !isTruncated(content);
  const { removed, added } = isComplete ? diffLines(original, content) : patchLines(use, content);
  return [{ kind: 'edit', path, removed, added, isNew, declarations: [] }];
}

interface Replacement {
  before: string;
  after: string;
}

function readReplacements({ input }: ObservedToolUse): Replacement[] {
  const edits = getList(input, 'edits');
  return [input, ...edits].flatMap((edit) => {
    const after = getText(edit, 'new_string', 'newString', 'new_str', 'replacement');
    if (after === null) return [];
    return [{ before: getText(edit, 'old_string', 'oldString', 'old_str') ?? '', after }];
  });
}

function readOriginal({ response }: ObservedToolUse): string | null {
  return getText(response, 'originalFile', 'original_file');
}

/** Uses the patch of the host when the old content is missing. Without a patch, the full text counts as added. */
function patchLines({ response }: ObservedToolUse, content: string): { removed: string[]; added: string[] } {
  const lines = getList(response, 'structuredPatch').flatMap((hunk) =>
    getList(hunk, 'lines').filter((line) => typeof line === 'string'),
  );
  if (lines.length === 0) return diffLines('', content);
  const starting = (sign: string) =>
    lines.filter((line) => line.startsWith(sign)).map((line) => line.slice(1));
  return { removed: starting('-'), added: starting('+') };
}

const MAX_SEARCH_LINES = 400;
const MAX_COMMENT_LINES = 60;
const MAX_SEARCHES = 200;
const COMMENT = /^\s*(?:\/[/*]|\*|#|--|<!--)/;
const DIRECTIVE = /^\s*#\s*(?:define|elif|else|endif|error|if|include|pragma|undef)/;
const ANNOTATION = /^\s*@[A-Za-z]/;
const CLOSES_BLOCK = /^\s*[)\]}][)\]};,]*\s*$/;
/** Matches a line that continues the declaration or statement above it: `) {`, `} else {` or `{`. */
const CONTINUATION = /^\s*(?:[)\]}]|\{\s*$)/;

function findEnclosing(
  { before, after }: Replacement,
  { added, removed }: { added: readonly string[]; removed: readonly string[] },
  original: string | null,
  path: string,
): string[] {
  const changed = new Set([...added, ...removed].map(lineKey));
  const text = added.length > 0 ? after : before;
  const at = original === null || before === '' ? -1 : original.indexOf(before);
  const head =
    at > 0
      ? original!
          .slice(0, at)
          .split('\n')
          .slice(-MAX_SEARCH_LINES - 1)
          .join('\n')
      : '';
  const tail = at >= 0 ? original!.slice(at + before.length, at + before.length + 4_000) : '';
  const lines = (head + text + tail).split('\n');
  const start = head.split('\n').length - 1;
  const found = new Set<string>();
  const edited = text
    .split('\n')
    .slice(0, 2_000)
    .flatMap((line, index) => (changed.has(lineKey(line)) ? [start + index] : []));
  for (const index of edited.slice(0, MAX_SEARCHES)) {
    const name = findContainer(lines, index, path);
    if (name !== null) found.add(name);
    if (found.size === 3) break;
  }
  return [...found];
}

/**
 * Returns the innermost declaration that contains a line. A comment belongs to the declaration that directly follows.
 */
function findContainer(lines: readonly string[], index: number, path: string): string | null {
  const line = lines[index]!;
  const own = readContainer(line, path);
  if (own !== null) return own;
  if (isCommentOrAnnotation(line)) {
    const next = lines
      .slice(index + 1, index + 1 + MAX_COMMENT_LINES)
      .find((other) => !isCommentOrAnnotation(other));
    const described = next === undefined ? null : readContainer(next, path);
    if (described !== null) return described;
  }
  let level = isProseFile(path) ? Infinity : containerIndentation(line);
  for (let above = index - 1; above >= Math.max(0, index - MAX_SEARCH_LINES) && level > 0; above -= 1) {
    const other = lines[above]!;
    if (isTruncated(other)) break;
    if (indentation(other) >= level || other.trim() === '') continue;
    const name = readContainer(other, path);
    if (name !== null) return name;
    if (level !== Infinity && !COMMENT.test(other))
      level = CLOSES_BLOCK.test(other) ? indentation(other) : containerIndentation(other);
  }
  return null;
}

/** A line above contains this line when its indentation is smaller than the returned one. */
const containerIndentation = (line: string) => indentation(line) + (CONTINUATION.test(line) ? 1 : 0);
const isCommentOrAnnotation = (line: string) =>
  (COMMENT.test(line) && !DIRECTIVE.test(line)) || ANNOTATION.test(line);
const indentation = (line: string) => line.length - line.trimStart().length;

function readContainer(line: string, path: string): string | null {
  const declared = readDeclaration(line, path);
  if (declared === null) return null;
  return declared.kind === 'function'
    ? `${declared.name}()`
    : declared.kind === 'type' || declared.kind === 'test' || declared.kind === 'heading'
      ? declared.name
      : null;
}

/** Returns the path argument of an editing or reading tool. */
export function readPathField(use: ObservedToolUse): string | null {
  return (
    getText(use.input, 'file_path', 'filePath', 'absolute_path', 'notebook_path', 'path') ??
    getText(getField(use.response, 'file'), 'filePath')
  );
}
