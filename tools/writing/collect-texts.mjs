import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';
import { root } from '../workspace.mjs';

const CODE = /\.(ts|tsx|mts|mjs)$/;
const TEST = /\.test\.tsx?$/;
const DIRECTIVE = /^(eslint|@ts-|@vitest|prettier|v8 ignore|#region)/;
/** Packages whose strings are shown to users in a terminal or in the viewer. */
const USER_INTERFACES = /^(apps\/(hooks-cli|viewer|mcp-server)|libs\/settings)\/src\//;
const USER_TEXT_ATTRIBUTES = new Set(['aria-label', 'title', 'label', 'placeholder', 'alt', 'description']);

/**
 * Collects the texts that people read in the tracked files of the workspace.
 * @returns an array of { kind, file, line, text }; kind is 'comment', 'doc', 'title' (of a test), 'ui' or 'identifier'
 */
export function collectTexts() {
  const files = execFileSync('git', ['ls-files'], { cwd: root, encoding: 'utf8' }).split('\n');
  return files.flatMap((file) => {
    if (file.includes('__fixtures__')) return [];
    if (CODE.test(file)) return textsOfCode(file);
    return file.endsWith('.md') ? sentencesOfMarkdown(file) : [];
  });
}

function textsOfCode(file) {
  const text = readFileSync(path.join(root, file), 'utf8');
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const lineAt = (position) => source.getLineAndCharacterOfPosition(position).line + 1;
  const found = [];
  const add = (kind, position, content) => {
    const cleaned = content.replaceAll(/\s+/g, ' ').trim();
    if (cleaned !== '') found.push({ kind, file, line: lineAt(position), text: cleaned });
  };
  for (const comment of commentsOf(source)) add('comment', comment.position, comment.text);
  const visit = (node) => {
    if (isDeclaredName(node)) add('identifier', node.getStart(), node.text);
    if (TEST.test(file) && isTestTitle(node)) add('title', node.getStart(), node.text);
    if (USER_INTERFACES.test(file) && !TEST.test(file) && isUserText(node))
      add('ui', node.getStart(), textOf(node));
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

/** Returns the comments of a source file without comment markers. Adjacent line comments are joined. */
function commentsOf(source) {
  const { text } = source;
  const ranges = new Map();
  const visit = (node) => {
    for (const range of [
      ...(ts.getLeadingCommentRanges(text, node.getFullStart()) ?? []),
      ...(ts.getTrailingCommentRanges(text, node.getEnd()) ?? []),
    ])
      ranges.set(range.pos, range);
    for (const child of node.getChildren(source)) visit(child);
  };
  visit(source);
  const comments = [];
  for (const range of [...ranges.values()].toSorted((a, b) => a.pos - b.pos)) {
    const content = text
      .slice(range.pos, range.end)
      .replaceAll(/^\s*(\/\*\*?|\*\/|\*(?!\/)|\/\/)|\*\/$/gm, '');
    const last = comments.at(-1);
    const isContinued =
      last?.isLine && text.slice(last.end, range.pos).trim() === '' && text[range.pos + 1] === '/';
    if (isContinued) Object.assign(last, { text: `${last.text} ${content}`, end: range.end });
    else
      comments.push({
        position: range.pos,
        end: range.end,
        text: content,
        isLine: text[range.pos + 1] === '/',
      });
  }
  return comments.filter((comment) => !DIRECTIVE.test(comment.text.trim()));
}

const isDeclaredName = (node) =>
  ts.isIdentifier(node) &&
  node.parent.name === node &&
  (ts.isVariableDeclaration(node.parent) ||
    ts.isParameter(node.parent) ||
    ts.isBindingElement(node.parent) ||
    ts.isFunctionLike(node.parent) ||
    ts.isClassLike(node.parent) ||
    ts.isInterfaceDeclaration(node.parent) ||
    ts.isTypeAliasDeclaration(node.parent) ||
    ts.isPropertySignature(node.parent) ||
    ts.isPropertyDeclaration(node.parent));

/** Returns the first argument of it(), test() and describe(), including it.each(...)(). */
function isTestTitle(node) {
  if (!ts.isStringLiteralLike(node) || !ts.isCallExpression(node.parent)) return false;
  if (node.parent.arguments[0] !== node) return false;
  return /^(it|test|describe)\b/.test(node.parent.expression.getText());
}

/** Returns the text of JSX elements, and strings that look like sentences or labels. */
function isUserText(node) {
  if (ts.isJsxText(node)) return /\p{L}{2}/u.test(node.text);
  if (!ts.isStringLiteralLike(node) && !ts.isTemplateExpression(node)) return false;
  const { parent } = node;
  if (ts.isImportDeclaration(parent) || ts.isExportDeclaration(parent) || ts.isLiteralTypeNode(parent))
    return false;
  const attribute = ts.isJsxExpression(parent) ? parent.parent : parent;
  if (ts.isJsxAttribute(attribute)) return USER_TEXT_ATTRIBUTES.has(attribute.name.getText());
  return /^\p{Lu}?[\p{L}\d'’-]+,? [\p{L}\d$"(]/u.test(textOf(node));
}

const textOf = (node) => (ts.isTemplateExpression(node) ? node.getText().slice(1, -1) : node.text);

/** Returns the sentences and table rows of a Markdown file, without code blocks. */
function sentencesOfMarkdown(file) {
  const found = [];
  let isCode = false;
  let paragraph = '';
  let start = 1;
  const flush = () => {
    for (const sentence of paragraph.split(/(?<=[.!?:])\s+(?=[\p{Lu}`"(])/u))
      if (/\p{L}{2}.* /u.test(sentence))
        found.push({ kind: 'doc', file, line: start, text: sentence.trim() });
    paragraph = '';
  };
  for (const [index, line] of readFileSync(path.join(root, file), 'utf8').split('\n').entries()) {
    if (line.startsWith('```')) {
      isCode = !isCode;
      flush();
    } else if (!isCode) {
      const isBlockStart = /^\s*([-*|#>]|\d+\.)|^\s*$/.test(line);
      if (isBlockStart) flush();
      if (paragraph === '') start = index + 1;
      if (!/^\|[\s:|-]+$/.test(line)) paragraph += ` ${line.replace(/^\s*([-*#>]+|\d+\.)\s/, '').trim()}`;
    }
  }
  flush();
  return found;
}
