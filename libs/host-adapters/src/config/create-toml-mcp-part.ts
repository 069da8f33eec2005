import { isRecord } from '@claude-mem/core';
import { parse, TomlError } from 'smol-toml';
import type { HostPlace, InstallOptions, McpServer } from '../host-adapter.js';
import { NOTHING, type ConfigPart } from './config-part.js';
import { FOREIGN_SERVER, MCP_SERVER_NAME, ownPrograms } from './mcp-server-entry.js';

const FIELD = 'mcp_servers';
const REMARK = '# written by claude-mem, taken out by: claude-mem uninstall';
const HEADER = `[${FIELD}.${MCP_SERVER_NAME}]`;
/** Hosts write tables of their own behind ours, so that a mark of its end could enclose theirs: our keys are its end. */
const OWN_BLOCK = new RegExp(
  `(?<=^|\\n)${escaped(REMARK)}\\r?\\n${escaped(HEADER)}(?:\\r?\\n(?:command|args|env) = .*)*(\\r?\\n)?`,
);

/**
 * Our MCP server as a table at the end of a TOML file. Where the file has no line end, the block has none either. The file must
 * be valid TOML before and after, and say the same but for our table.
 */
export function createTomlMcpPart({ fileOf }: { fileOf(place: HostPlace): string }): ConfigPart {
  return {
    fileOf,
    add(text, options) {
      if (!options.mcpServer) return { text };
      const before = readToml(text ?? '');
      if ('problem' in before) return before;
      const servers = before.value[FIELD];
      const entry = isRecord(servers) ? servers[MCP_SERVER_NAME] : undefined;
      // a person put our own program there by hand
      if (programsOf(entry) !== null) return { text };
      if (entry !== undefined) return { problem: FOREIGN_SERVER };
      const after = `${text ?? ''}${blockFor(text, options, options.mcpServer)}`;
      const read = readToml(after);
      if ('problem' in read) return { problem: `has "${FIELD}" in a form that takes no further table` };
      return { text: after };
    },
    remove(text) {
      const read = readToml(text ?? '');
      if ('problem' in read) return read;
      const found = text === null ? null : OWN_BLOCK.exec(text);
      const entry = isRecord(read.value[FIELD]) ? read.value[FIELD][MCP_SERVER_NAME] : undefined;
      const programs = programsOf(entry);
      if (text === null || !found || programs === null) return { text, own: NOTHING };
      const left = withoutBlock(text, found);
      if (!isSameButOurs(text, left))
        return { problem: `has more in ${HEADER} than we wrote: take that table out by hand` };
      return {
        text: left === '' && found[1] !== undefined ? null : left,
        own: { events: [], hasMcpServer: true, programs },
      };
    },
  };
}

const programsOf = (entry: unknown) =>
  isRecord(entry) ? ownPrograms([entry['command'], entry['args']].flat()) : null;

function blockFor(text: string | null, { dataDir }: InstallOptions, { node, script }: McpServer): string {
  const lineEnd = text?.includes('\r\n') ? '\r\n' : '\n';
  const hasEnd = text === null || text.endsWith('\n');
  const lines = [
    REMARK,
    HEADER,
    `command = ${JSON.stringify(node)}`,
    `args = [${JSON.stringify(script)}]`,
    ...(dataDir === undefined ? [] : [`env = { CLAUDE_MEM_DATA_DIR = ${JSON.stringify(dataDir)} }`]),
  ];
  return (hasEnd ? '' : lineEnd) + lines.join(lineEnd) + (hasEnd ? lineEnd : '');
}

function withoutBlock(text: string, { index, 0: block, 1: lineEnd }: RegExpExecArray): string {
  const before = text.slice(0, index);
  return (lineEnd === undefined ? before.replace(/\r?\n$/, '') : before) + text.slice(index + block.length);
}

function isSameButOurs(text: string, left: string): boolean {
  const [before, after] = [readToml(text), readToml(left)];
  if ('problem' in before || 'problem' in after) return false;
  const servers = before.value[FIELD];
  if (!isRecord(servers)) return false;
  const { [MCP_SERVER_NAME]: _, ...others } = servers;
  const { [FIELD]: __, ...rest } = before.value;
  const expected = Object.keys(others).length === 0 ? rest : { ...rest, [FIELD]: others };
  return comparable(after.value) === comparable(expected);
}

function readToml(text: string): { value: Readonly<Record<string, unknown>> } | { problem: string } {
  try {
    return { value: parse(text.replace(/^\ufeff/, ''), { integersAsBigInt: true }) };
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    return { problem: `is not valid TOML at line ${error.line}, column ${error.column}` };
  }
}

/** Key order does not matter: taking a table out may change which of two comes first. */
function comparable(value: unknown): string {
  return JSON.stringify(value, (_, item: unknown) => {
    if (typeof item === 'bigint') return `${item}n`;
    return isRecord(item)
      ? Object.fromEntries(Object.entries(item).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : item;
  });
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
