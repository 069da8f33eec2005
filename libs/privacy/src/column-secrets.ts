import { classifyName, type NameKind } from './secret-names.js';
import { isSecretValue, looksGenerated, looksRandom } from './secret-values.js';

export interface ColumnSecret {
  start: number;
  end: number;
  kind: NameKind;
}

interface Cell {
  start: number;
  end: number;
  text: string;
  /** True when the cell has spaces around its text. */
  isPadded: boolean;
}

interface Line {
  start: number;
  end: number;
  next: number;
}

/** Maximum length of a table row in UTF-16 code units. */
const MAX_LINE_LENGTH = 4_000;
const LINE_BREAK = /(?:\\{1,8}r)?\\{1,8}n|\r?\n/g;
/** Matches the beginning of a line, including the first line in a JSON string. */
const LINE_START = /\n|\\{1,8}n|[:[][ ]?\\{0,8}"(?=(?:\\{1,8}")?[^\s,:\]}"\\])/g;
const RULE = /^[\s|│┃+:=─━┼├┤╪═-]+$/;

/** Delimiters of tables: `|` and box drawing characters, tabs, commas and semicolons. */
const DELIMITERS = [/[|│┃]/, /\t|\\{1,8}t/, /,/, /;/] as const;
const AFTER_CELL = /\\{0,8}["'`*]{0,3}[ ]{0,60}(?=[|│┃,;\t\r\n]|\\{1,8}[nrt]|$)/y;

/** Returns true when a name can be the cell of a table. */
export function isCell(text: string, name: { start: number; end: number }): boolean {
  AFTER_CELL.lastIndex = name.end;
  if (!AFTER_CELL.test(text)) return false;
  let at = name.start - 1;
  const earliest = Math.max(-1, at - 30);
  while (at > earliest && /[ \w"'`*\\-]/.test(text[at] ?? '')) at -= 1;
  return at === -1 || /[\n|│┃,;:[\t"'\\]/.test(text[at] ?? '');
}

/**
 * Finds secrets whose label is the header of their column (Markdown, psql, CSV) or the cell before them (`| NAME |
 * value |`).
 * @param names names in the text that can be cells, in order
 */
export function findTableSecrets(
  text: string,
  names: readonly { start: number; end: number }[],
): ColumnSecret[] {
  const found: ColumnSecret[] = [];
  let read = 0;
  for (const name of names) {
    if (name.start < read) continue;
    const header = findLine(text, name);
    if (header === null) continue;
    read = header.end;
    const delimiter = DELIMITERS.find((pattern) => pattern.test(text.slice(header.start, header.end)));
    if (delimiter === undefined) continue;
    const cells = splitCells(text, header, delimiter);
    const isDrawn = delimiter === DELIMITERS[0];
    const filled = cells.filter((cell) => /[\p{L}\p{N}]/u.test(cell.text));
    if (filled.length < 2) continue;
    const pair = filled.length === 2 ? readPair(filled, isDrawn) : null;
    if (pair !== null) {
      found.push(pair);
      continue;
    }
    if (!isHeader(isDrawn ? filled : cells, delimiter)) continue;
    const columns = cells.map((cell) => classifyCell(cell));
    read = readRows(text, header, delimiter, columns, found);
  }
  return found;
}

function findLine(text: string, name: { start: number; end: number }): Line | null {
  const earliest = Math.max(0, name.start - MAX_LINE_LENGTH / 2);
  let start = earliest === 0 ? 0 : -1;
  for (const match of text.slice(earliest, name.start).matchAll(LINE_START))
    start = earliest + match.index + match[0].length;
  return start === -1 ? null : readLine(text, start);
}

function readLine(text: string, start: number): Line | null {
  const ahead = text.slice(start, start + MAX_LINE_LENGTH);
  LINE_BREAK.lastIndex = 0;
  const match = LINE_BREAK.exec(ahead);
  if (match === null)
    return start + ahead.length < text.length
      ? null
      : { start, end: start + ahead.length, next: start + ahead.length };
  return { start, end: start + match.index, next: start + match.index + match[0].length };
}

function splitCells(text: string, line: Line, delimiter: RegExp): Cell[] {
  const cells: Cell[] = [];
  const isQuotable = delimiter.source === ',' || delimiter.source === ';';
  const pattern = new RegExp(
    `${isQuotable ? `(?<quoted>\\\\{0,8}"(?:[^"\\\\]|""){0,2000}\\\\{0,8}"(?=${delimiter.source}|$))|` : ''}(?<delimiter>${delimiter.source})`,
    'g',
  );
  const content = text.slice(line.start, line.end);
  let from = 0;
  for (const match of content.matchAll(pattern)) {
    if (match.groups?.['delimiter'] === undefined) continue;
    cells.push(createCell(content, from, match.index, line.start));
    from = match.index + match[0].length;
  }
  return [...cells, createCell(content, from, content.length, line.start)];
}

function createCell(content: string, from: number, to: number, offset: number): Cell {
  const raw = content.slice(from, to);
  const lead = /^[\s"'`*\\]*/.exec(raw)?.[0].length ?? 0;
  const text = raw.slice(lead).replace(/[\s"'`*\\]+$/, '');
  const start = offset + from + lead;
  return { start, end: start + text.length, text, isPadded: /^\s|\s$/.test(raw) };
}

const classifyCell = (cell: Cell): NameKind | null => {
  const kind = cell.text.length > 40 ? null : classifyName(cell.text.replace(/\s+/g, '_'));
  return kind === 'header' || kind === 'cookie' ? null : kind;
};

/** Finds the secret of a pair: `| DB_PASSWORD | value |` or `DB_PASSWORD,value`. */
function readPair([name, value]: readonly Cell[], isDrawn: boolean): ColumnSecret | null {
  if (name === undefined || value === undefined || (isDrawn && !name.isPadded && !value.isPadded))
    return null;
  const kind = classifyCell(name);
  return kind === null ? null : findSecret(value, kind, isDrawn ? looksRandom : looksGenerated);
}

/**
 * Commas between words are common in code and prose. A comma-separated header therefore contains only names without
 * spaces around them.
 */
function isHeader(cells: readonly Cell[], delimiter: RegExp): boolean {
  const isDrawn = delimiter === DELIMITERS[0];
  const isTab = delimiter === DELIMITERS[1];
  return cells.every(
    (cell) => isDrawn || (/^[\p{L}\w][\p{L}\w ./()-]{0,60}$/u.test(cell.text) && (isTab || !cell.isPadded)),
  );
}

function readRows(
  text: string,
  header: Line,
  delimiter: RegExp,
  columns: readonly (NameKind | null)[],
  found: ColumnSecret[],
): number {
  let at = header.next;
  while (at < text.length) {
    const line = readLine(text, at);
    if (line === null || line.end === line.start) break;
    if (!RULE.test(text.slice(line.start, line.end))) {
      const cells = splitCells(text, line, delimiter);
      if (cells.length !== columns.length) break;
      for (const [index, kind] of columns.entries()) {
        const cell = cells[index];
        const secret = kind === null || cell === undefined ? null : findSecret(cell, kind, looksRandom);
        if (secret !== null) found.push(secret);
      }
    }
    if (line.next <= at) break;
    at = line.next;
  }
  return Math.max(header.end, at);
}

function findSecret(
  cell: Cell,
  kind: NameKind,
  isLikelySecret: (value: string) => boolean,
): ColumnSecret | null {
  // In a JSON string, more JSON can follow the last cell of a table.
  const value = /^[^\s"'`\\]+/.exec(cell.text)?.[0] ?? '';
  if (value.length < cell.text.length && /^\s/.test(cell.text.slice(value.length))) return null;
  return isLikelySecret(value) && isSecretValue(value, kind, 'bare')
    ? { start: cell.start, end: cell.start + value.length, kind }
    : null;
}

const BLANKS = '(?:\\s|\\\\{1,8}[nrt]){0,16}';
const INSERT = new RegExp(
  `\\binsert${BLANKS}(?:ignore${BLANKS})?into${BLANKS}[^\\s(]{1,128}${BLANKS}\\((?<columns>[^()]{1,2000})\\)${BLANKS}values${BLANKS}`,
  'gi',
);
const ITEM =
  /(?:\s|\\{1,8}[nrt]){0,16}[eENn]?(?:(?<open>\\{0,8}['"])(?<quoted>(?:[^'"\\]|''|\\{1,8}[^'"\\nrt]){0,512})\\{0,8}['"]|(?<bare>[^,()'"\\]{0,512}))(?:\s|\\{1,8}[nrt]){0,16}(?<end>[,)])/y;
const ROW_START = /(?:\s|\\{1,8}[nrt]){0,16},?(?:\s|\\{1,8}[nrt]){0,16}\(/y;

/** Finds the secrets of `INSERT INTO users (name, password) VALUES ('ann', 'x')`. */
export function findInsertSecrets(text: string): ColumnSecret[] {
  const found: ColumnSecret[] = [];
  for (const match of text.matchAll(INSERT)) {
    const columns = (match.groups?.['columns'] ?? '')
      .split(',')
      .map((column) => classifyName(column.replace(/[\s"'`[\]\\]+/g, '')));
    if (columns.some((kind) => kind !== null))
      readTuples(text, match.index + match[0].length, columns, found);
  }
  return found;
}

function readTuples(
  text: string,
  from: number,
  columns: readonly (NameKind | null)[],
  found: ColumnSecret[],
): void {
  ROW_START.lastIndex = from;
  while (ROW_START.test(text)) {
    let at = ROW_START.lastIndex;
    for (let index = 0; ; index += 1) {
      ITEM.lastIndex = at;
      const item = ITEM.exec(text);
      if (item === null) return;
      const kind = columns[index] ?? null;
      const value = item.groups?.['quoted'];
      if (kind !== null && value !== undefined && isSecretValue(value, kind, 'quoted')) {
        const start =
          at + item[0].indexOf(item.groups?.['open'] ?? '') + (item.groups?.['open'] ?? '').length;
        found.push({ start, end: start + value.length, kind });
      }
      at = ITEM.lastIndex;
      if (item.groups?.['end'] === ')') break;
    }
    ROW_START.lastIndex = at;
  }
}
