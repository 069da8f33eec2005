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
  /** Blanks around the cell. */
  isPadded: boolean;
}

interface Line {
  start: number;
  end: number;
  next: number;
}

/** Longer lines are no rows of a table. */
const LONGEST_LINE = 4_000;
const LINE_BREAK = /(?:\\{1,8}r)?\\{1,8}n|\r?\n/g;
/** The beginning of a line, also of the first one in a string of JSON. */
const LINE_START = /\n|\\{1,8}n|[:[][ ]?\\{0,8}"(?=(?:\\{1,8}")?[^\s,:\]}"\\])/g;
const RULE = /^[\s|│┃+:=─━┼├┤╪═-]+$/;

/** `|` and box drawing, a tab, a comma or a semicolon. */
const DELIMITERS = [/[|│┃]/, /\t|\\{1,8}t/, /,/, /;/] as const;
const AFTER_CELL = /\\{0,8}["'`*]{0,3}[ ]{0,60}(?=[|│┃,;\t\r\n]|\\{1,8}[nrt]|$)/y;

/** Whether a name may be the cell of a table. */
export function isCell(text: string, name: { start: number; end: number }): boolean {
  AFTER_CELL.lastIndex = name.end;
  if (!AFTER_CELL.test(text)) return false;
  let at = name.start - 1;
  const earliest = Math.max(-1, at - 30);
  while (at > earliest && /[ \w"'`*\\-]/.test(text[at] ?? '')) at -= 1;
  return at === -1 || /[\n|│┃,;:[\t"'\\]/.test(text[at] ?? '');
}

/**
 * Secrets whose label is the head of their column (Markdown, psql, CSV) or the cell before them (`| NAME | value |`).
 * @param names the names in the text that may be cells, in order.
 */
export function secretsInTables(
  text: string,
  names: readonly { start: number; end: number }[],
): ColumnSecret[] {
  const found: ColumnSecret[] = [];
  let read = 0;
  for (const name of names) {
    if (name.start < read) continue;
    const header = lineAround(text, name);
    if (header === null) continue;
    read = header.end;
    const delimiter = DELIMITERS.find((pattern) => pattern.test(text.slice(header.start, header.end)));
    if (delimiter === undefined) continue;
    const cells = cellsOf(text, header, delimiter);
    const isDrawn = delimiter === DELIMITERS[0];
    const filled = cells.filter((cell) => /[\p{L}\p{N}]/u.test(cell.text));
    if (filled.length < 2) continue;
    const pair = filled.length === 2 ? pairIn(filled, isDrawn) : null;
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

function lineAround(text: string, name: { start: number; end: number }): Line | null {
  const earliest = Math.max(0, name.start - LONGEST_LINE / 2);
  let start = earliest === 0 ? 0 : -1;
  for (const match of text.slice(earliest, name.start).matchAll(LINE_START))
    start = earliest + match.index + match[0].length;
  return start === -1 ? null : lineFrom(text, start);
}

function lineFrom(text: string, start: number): Line | null {
  const ahead = text.slice(start, start + LONGEST_LINE);
  LINE_BREAK.lastIndex = 0;
  const match = LINE_BREAK.exec(ahead);
  if (match === null)
    return start + ahead.length < text.length
      ? null
      : { start, end: start + ahead.length, next: start + ahead.length };
  return { start, end: start + match.index, next: start + match.index + match[0].length };
}

function cellsOf(text: string, line: Line, delimiter: RegExp): Cell[] {
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
    cells.push(cellOf(content, from, match.index, line.start));
    from = match.index + match[0].length;
  }
  return [...cells, cellOf(content, from, content.length, line.start)];
}

function cellOf(content: string, from: number, to: number, offset: number): Cell {
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

/** `| DB_PASSWORD | value |`, `DB_PASSWORD,value`. */
function pairIn([name, value]: readonly Cell[], isDrawn: boolean): ColumnSecret | null {
  if (name === undefined || value === undefined || (isDrawn && !name.isPadded && !value.isPadded))
    return null;
  const kind = classifyCell(name);
  return kind === null ? null : secretIn(value, kind, isDrawn ? looksRandom : looksGenerated);
}

/** A comma between words is common in code and prose: there the cells are names without blanks around them. */
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
    const line = lineFrom(text, at);
    if (line === null || line.end === line.start) break;
    if (!RULE.test(text.slice(line.start, line.end))) {
      const cells = cellsOf(text, line, delimiter);
      if (cells.length !== columns.length) break;
      for (const [index, kind] of columns.entries()) {
        const cell = cells[index];
        const secret = kind === null || cell === undefined ? null : secretIn(cell, kind, looksRandom);
        if (secret !== null) found.push(secret);
      }
    }
    if (line.next <= at) break;
    at = line.next;
  }
  return Math.max(header.end, at);
}

function secretIn(cell: Cell, kind: NameKind, looksSecret: (value: string) => boolean): ColumnSecret | null {
  // Behind the last cell of a table in a string of JSON, the JSON goes on.
  const value = /^[^\s"'`\\]+/.exec(cell.text)?.[0] ?? '';
  if (value.length < cell.text.length && /^\s/.test(cell.text.slice(value.length))) return null;
  return looksSecret(value) && isSecretValue(value, kind, 'bare')
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

/** Secrets of `INSERT INTO users (name, password) VALUES ('ann', 'x')`. */
export function secretsInInserts(text: string): ColumnSecret[] {
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
