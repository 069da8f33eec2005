import type { ObservedToolUse } from '@claude-mem/core';
import type { FileStep } from './file-step.js';
import { isCut } from './is-cut.js';
import { fieldOf, listOf, textOf } from './json-fields.js';
import { lineDifference, lineKey } from './line-difference.js';
import { readPatch } from './patch-steps.js';
import type { PathReader } from './project-paths.js';
import { declarationIn, isProse } from './declarations.js';

const EDIT = new Set([
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
const DELETE = new Set(['delete', 'deletefile']);

/** Editing tools of all hosts, by name without case and separators. */
export function isEditTool(toolName: string): boolean {
  return EDIT.has(plainName(toolName)) || DELETE.has(plainName(toolName));
}

const plainName = (toolName: string) => toolName.toLowerCase().replace(/[^a-z]/g, '');

/** What one successful call of an editing tool did. */
export function editSteps(use: ObservedToolUse, readPath: PathReader): FileStep[] {
  const patch = [
    textOf(use.input, 'input', 'patch', 'command', 'patchText'),
    typeof use.input === 'string' ? use.input : null,
  ].find((text) => text?.includes('*** Begin Patch'));
  if (patch) return readPatch(patch, (word) => readPath(word, use.cwd));
  const named =
    textOf(use.input, 'file_path', 'filePath', 'notebook_path', 'path', 'file') ??
    textOf(use.response, 'filePath', 'file_path');
  const path = named === null ? null : readPath(named, use.cwd);
  if (path === null) return [];
  if (DELETE.has(plainName(use.toolName))) return [{ kind: 'delete', path }];
  const original = originalOf(use);
  const changes = changesOf(use);
  if (changes.length > 0) {
    const differences = changes.map(({ before, after }) =>
      isCut(before) || isCut(after) ? { removed: [], added: [] } : lineDifference(before, after),
    );
    const removed = differences.flatMap((difference) => difference.removed);
    const added = differences.flatMap((difference) => difference.added);
    const around = changes.flatMap((change, index) => enclosing(change, differences[index]!, original, path));
    return [
      {
        kind: 'edit',
        path,
        removed,
        added,
        isNew: changes.every(({ before }) => before === '') ? null : false,
        around,
      },
    ];
  }
  const content = textOf(use.input, 'content', 'file_text', 'new_source', 'contents');
  if (content === null) return [{ kind: 'edit', path, removed: [], added: [], isNew: null, around: [] }];
  const isNew = textOf(use.response, 'type') === 'create' ? true : original === null ? null : false;
  const isWhole = original !== null && !isCut(original) && !isCut(content);
  const { removed, added } = isWhole ? lineDifference(original, content) : patchLines(use, content);
  return [{ kind: 'edit', path, removed, added, isNew, around: [] }];
}

interface Change {
  before: string;
  after: string;
}

function changesOf({ input }: ObservedToolUse): Change[] {
  const edits = listOf(input, 'edits');
  return [input, ...edits].flatMap((edit) => {
    const after = textOf(edit, 'new_string', 'newString', 'new_str', 'replacement');
    if (after === null) return [];
    return [{ before: textOf(edit, 'old_string', 'oldString', 'old_str') ?? '', after }];
  });
}

function originalOf({ response }: ObservedToolUse): string | null {
  return textOf(response, 'originalFile', 'original_file');
}

/** Without the old content, the host's own patch says what changed; else all of the text is new. */
function patchLines({ response }: ObservedToolUse, content: string): { removed: string[]; added: string[] } {
  const lines = listOf(response, 'structuredPatch').flatMap((hunk) =>
    listOf(hunk, 'lines').filter((line) => typeof line === 'string'),
  );
  if (lines.length === 0) return lineDifference('', content);
  const starting = (sign: string) =>
    lines.filter((line) => line.startsWith(sign)).map((line) => line.slice(1));
  return { removed: starting('-'), added: starting('+') };
}

const LONGEST_SEARCH = 400;
const LONGEST_COMMENT = 60;
const MOST_SEARCHES = 200;
const COMMENT = /^\s*(?:\/[/*]|\*|#|--|<!--)/;
const DIRECTIVE = /^\s*#\s*(?:define|elif|else|endif|error|if|include|pragma|undef)/;
const ANNOTATION = /^\s*@[A-Za-z]/;
const CLOSES_BLOCK = /^\s*[)\]}][)\]};,]*\s*$/;
/** Continues a declaration or statement above it with the same indentation: `) {`, `} else {`, `{`. */
const CONTINUES = /^\s*(?:[)\]}]|\{\s*$)/;

/** Lists the declarations that contain the changed lines, according to the edit and the old file. */
function enclosing(
  { before, after }: Change,
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
          .slice(-LONGEST_SEARCH - 1)
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
  for (const index of edited.slice(0, MOST_SEARCHES)) {
    const name = holderOf(lines, index, path);
    if (name !== null) found.add(name);
    if (found.size === 3) break;
  }
  return [...found];
}

/** The innermost declaration that contains a line. A comment belongs to the declaration that directly follows. */
function holderOf(lines: readonly string[], index: number, path: string): string | null {
  const line = lines[index]!;
  const own = holderIn(line, path);
  if (own !== null) return own;
  if (isCommentOrAnnotation(line)) {
    const next = lines
      .slice(index + 1, index + 1 + LONGEST_COMMENT)
      .find((other) => !isCommentOrAnnotation(other));
    const described = next === undefined ? null : holderIn(next, path);
    if (described !== null) return described;
  }
  let level = isProse(path) ? Infinity : levelAbove(line);
  for (let above = index - 1; above >= Math.max(0, index - LONGEST_SEARCH) && level > 0; above -= 1) {
    const other = lines[above]!;
    if (isCut(other)) break;
    if (indentation(other) >= level || other.trim() === '') continue;
    const name = holderIn(other, path);
    if (name !== null) return name;
    if (level !== Infinity && !COMMENT.test(other))
      level = CLOSES_BLOCK.test(other) ? indentation(other) : levelAbove(other);
  }
  return null;
}

/** Lines above with a smaller indentation contain the line. */
const levelAbove = (line: string) => indentation(line) + (CONTINUES.test(line) ? 1 : 0);
const isCommentOrAnnotation = (line: string) =>
  (COMMENT.test(line) && !DIRECTIVE.test(line)) || ANNOTATION.test(line);
const indentation = (line: string) => line.length - line.trimStart().length;

function holderIn(line: string, path: string): string | null {
  const declared = declarationIn(line, path);
  if (declared === null) return null;
  return declared.kind === 'function'
    ? `${declared.name}()`
    : declared.kind === 'type' || declared.kind === 'test' || declared.kind === 'heading'
      ? declared.name
      : null;
}

/** Whether the tool use carries a path at all: used for reading tools too. */
export function pathField(use: ObservedToolUse): string | null {
  return (
    textOf(use.input, 'file_path', 'filePath', 'absolute_path', 'notebook_path', 'path') ??
    textOf(fieldOf(use.response, 'file'), 'filePath')
  );
}
