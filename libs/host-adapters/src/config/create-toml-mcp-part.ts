import { isRecord, escapeRegExp } from '@claude-mem/core';
import { parse, TomlError } from 'smol-toml';
import type { HostPlace, InstallOptions, McpServer } from '../host-adapter.js';
import { NOTHING, type ConfigPart } from './config-part.js';
import { locateToml, type TomlStatement } from './locate-toml.js';
import {
  DATA_DIR_VARIABLE,
  envOf,
  extrasOf,
  FOREIGN_SERVER,
  MCP_SERVER_NAME,
  ownPrograms,
} from './mcp-server-entry.js';

const FIELD = 'mcp_servers';
const PATH = [FIELD, MCP_SERVER_NAME];
const COMMENT = '# written by claude-mem, taken out by: claude-mem uninstall';
const HEADER = `[${FIELD}.${MCP_SERVER_NAME}]`;
const COMMENT_BEFORE = new RegExp(`(?<=^|\\n)${escapeRegExp(COMMENT)}\\r?\\n$`);

/**
 * Creates the part with our MCP server as a table at the end of a TOML file. A file without a final line end gets a
 * block without one. The file must be valid TOML before and after, and equal except for our table. Additions of the
 * user to the table survive an update and are removed with the table.
 */
export function createTomlMcpPart({ fileOf }: { fileOf(place: HostPlace): string }): ConfigPart {
  return {
    fileOf,
    add(text, options, kept) {
      if (!options.mcpServer) return { text };
      const before = readToml(text ?? '');
      if ('problem' in before) return before;
      const entry = entryIn(before.value);
      // Added manually: the entry already starts the MCP server of claude-mem.
      if (programsOf(entry) !== null) return { text };
      if (entry !== undefined) return { problem: FOREIGN_SERVER };
      const block = kept === undefined ? newBlock(options, lineEndOf(text ?? '')) : renewed(kept, options);
      const after = (text ?? '') + placed(block, text);
      if (programsOf(entryIn(valueOf(after))) === null || !isSameButOurs(after, text ?? ''))
        return { problem: `has "${FIELD}" in a form that takes no further table` };
      return { text: after };
    },
    remove(text) {
      const read = readToml(text ?? '');
      if ('problem' in read) return read;
      const start = text === null ? -1 : startOfOurs(text);
      const entry = entryIn(read.value);
      const programs = programsOf(entry);
      if (text === null || start === -1 || programs === null || !isRecord(entry))
        return { text, own: NOTHING };
      const { left, block } = takenOut(text, start);
      if (!isSameButOurs(text, left))
        return {
          problem: `has ${HEADER} in a form that claude-mem did not write: remove that table manually`,
        };
      const extras = extrasOf(entry, { command: '', args: [], env: {} });
      return {
        text: left === '' && block.endsWith('\n') ? null : left,
        own: { events: [], hasMcpServer: true, programs, extras },
        ...(extras.length > 0 && { kept: block }),
      };
    },
  };
}

const programsOf = (entry: unknown) =>
  isRecord(entry) ? ownPrograms([entry['command'], entry['args']].flat()) : null;

function entryIn(value: Readonly<Record<string, unknown>> | null): unknown {
  const servers = value?.[FIELD];
  return isRecord(servers) ? servers[MCP_SERVER_NAME] : undefined;
}

/** Positions of our comment and our header, or -1. A text in the file may quote both. */
function startOfOurs(text: string): number {
  for (const { start } of locateToml(text).filter(isAt([]))) {
    const comment = text.startsWith(HEADER, start) ? COMMENT_BEFORE.exec(text.slice(0, start)) : null;
    if (comment) return comment.index;
  }
  return -1;
}

/** Our statements that are separated only by white space. Hosts write their own tables between and after them. */
function takenOut(text: string, start: number): { left: string; block: string } {
  const headerAt = text.indexOf(HEADER, start);
  const parts: { start: number; end: number }[] = [];
  for (const statement of locateToml(text)) {
    if (!isOwn(statement)) continue;
    const from = statement.start === headerAt ? start : statement.start;
    const last = parts.at(-1);
    if (last && isOfOneTable(text.slice(last.end, from), statement)) last.end = statement.end;
    else parts.push({ start: from, end: statement.end });
  }
  let left = text;
  for (const part of parts.toReversed()) {
    const isAtEndWithoutLine = part.end === text.length && !text.endsWith('\n');
    const before = left.slice(0, part.start);
    left = (isAtEndWithoutLine ? before.replace(/\r?\n$/, '') : before) + left.slice(part.end);
  }
  return { left, block: parts.map((part) => text.slice(part.start, part.end)).join('') };
}

const isOwn = ({ path }: TomlStatement) => PATH.every((key, index) => path[index] === key);

/** Comments between the pairs of a table belong to the table; comments before another header do not. */
const isOfOneTable = (between: string, { value }: TomlStatement) => value !== null || between.trim() === '';

function newBlock({ dataDir, mcpServer }: InstallOptions, lineEnd: string): string {
  const { node, script } = mcpServer as McpServer;
  const lines = [
    COMMENT,
    HEADER,
    `command = ${JSON.stringify(node)}`,
    `args = [${JSON.stringify(script)}]`,
    ...(dataDir === undefined ? [] : [`env = ${inlineTable(envOf(dataDir))}`]),
  ];
  return lines.join(lineEnd);
}

/** Our block at the end of a text. */
function placed(block: string, text: string | null): string {
  const lineEnd = lineEndOf(text ?? '');
  const hasEnd = block.endsWith('\n');
  if (text === null || text.endsWith('\n')) return hasEnd ? block : block + lineEnd;
  return lineEnd + (hasEnd ? block.replace(/\r?\n$/, '') : block);
}

const lineEndOf = (text: string) => (text.includes('\r\n') ? '\r\n' : '\n');

/** Updates our block and keeps the additions of the user. */
function renewed(block: string, { dataDir, mcpServer }: InstallOptions): string {
  const { node, script } = mcpServer as McpServer;
  const withPrograms = setPair(setPair(block, ['command'], node), ['args'], [script]);
  const statements = locateToml(withPrograms);
  if (!statements.some((statement) => statement.value !== null && isAt(['env'])(statement))) {
    const isThere = statements.some(({ path }) => path[PATH.length] === 'env');
    if (isThere || dataDir === undefined) return setPair(withPrograms, ['env', DATA_DIR_VARIABLE], dataDir);
    return setPair(withPrograms, ['env'], envOf(dataDir));
  }
  const entry = entryIn(valueOf(withPrograms));
  const { [DATA_DIR_VARIABLE]: _, ...others } =
    (isRecord(entry) && isRecord(entry['env']) && entry['env']) || {};
  const wanted = { ...others, ...envOf(dataDir) };
  return setPair(withPrograms, ['env'], Object.keys(wanted).length === 0 ? undefined : wanted);
}

const isAt =
  (keys: readonly string[]) =>
  ({ path }: TomlStatement) =>
    JSON.stringify(path) === JSON.stringify([...PATH, ...keys]);

/**
 * Changes, adds or (for undefined) removes one pair of our table. Returns the same text when it has the value
 * already.
 */
function setPair(block: string, keys: readonly string[], value: unknown): string {
  const statements = locateToml(block);
  const found = statements.find((statement) => statement.value !== null && isAt(keys)(statement));
  const written = value === undefined ? undefined : valueText(value);
  if (found?.value) {
    if (written === undefined) return block.slice(0, found.start) + block.slice(found.end);
    const { start, end } = found.value;
    const parsed = parse(`a = ${block.slice(start, end)}`)['a'];
    if (comparable(parsed) === comparable(value)) return block;
    return block.slice(0, start) + written + block.slice(end);
  }
  if (written === undefined) return block;
  const headerOf = (table: readonly string[]) =>
    statements.find((one) => one.value === null && isAt(table)(one));
  const own = headerOf(keys.slice(0, -1));
  const at = (own ?? headerOf([]))?.end ?? block.length;
  return `${block.slice(0, at)}${own ? keys.at(-1) : keys.join('.')} = ${written}${lineEndOf(block)}${block.slice(at)}`;
}

const valueText = (value: unknown): string => (isRecord(value) ? inlineTable(value) : JSON.stringify(value));

const inlineTable = (fields: Readonly<Record<string, unknown>>): string =>
  `{ ${Object.entries(fields)
    .map(([key, value]) => `${/^[\w-]+$/.test(key) ? key : JSON.stringify(key)} = ${valueText(value)}`)
    .join(', ')} }`;

/** Checks whether two texts are equal except for our table. */
function isSameButOurs(text: string, other: string): boolean {
  const [one, two] = [valueOf(text), valueOf(other)];
  return one !== null && two !== null && comparable(withoutOurs(one)) === comparable(withoutOurs(two));
}

function withoutOurs(value: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const { [FIELD]: servers, ...rest } = value;
  if (!isRecord(servers)) return value;
  const { [MCP_SERVER_NAME]: _, ...others } = servers;
  return Object.keys(others).length === 0 ? rest : { ...rest, [FIELD]: others };
}

function valueOf(text: string): Readonly<Record<string, unknown>> | null {
  const read = readToml(text);
  return 'problem' in read ? null : read.value;
}

function readToml(text: string): { value: Readonly<Record<string, unknown>> } | { problem: string } {
  try {
    return { value: parse(text.replace(/^\ufeff/, ''), { integersAsBigInt: true }) };
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    return { problem: `is not valid TOML at line ${error.line}, column ${error.column}` };
  }
}

/** Ignores the order of keys, because removing a table may change it. */
function comparable(value: unknown): string {
  return JSON.stringify(value, (_, item: unknown) => {
    if (typeof item === 'bigint') return `${item}n`;
    return isRecord(item)
      ? Object.fromEntries(Object.entries(item).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : item;
  });
}
