import { isRecord } from '@claude-mem/core';
import { appendMember, endOf, findMember } from '@claude-mem/core/json-text';
import { getNodeValue, type Node } from 'jsonc-parser';
import type { HostPlace, McpServer } from '../host-adapter.js';
import { NOTHING, type ConfigPart } from './config-part.js';
import { isBlankFile, newFile, readRoot, removeUpwards, replaceMember, setMember } from './json-edits.js';
import { findGrammarProblem, STRICT_JSON, type JsonGrammar } from './json-grammar.js';
import {
  DATA_DIR_VARIABLE,
  envOf,
  extrasOf,
  FOREIGN_SERVER,
  MCP_SERVER_NAME,
  ownPrograms,
} from './mcp-server-entry.js';

/** How a host configures MCP servers. */
export interface McpPartOptions {
  grammar: JsonGrammar;
  /** The field with the servers by name. @default mcpServers */
  field?: string;
  /** @default `command`, `args` and `env` */
  write?(server: McpServer, env: Readonly<Record<string, string>>): Readonly<Record<string, unknown>>;
  /** The fields that name programs. @default `command` and `args` */
  programFields?: string[];
  /** The field with environment variables. @default env */
  envField?: string;
  fileOf(place: HostPlace): string;
}

/** Creates the part with our MCP server in a JSON file. */
export function createMcpPart({
  grammar,
  field = 'mcpServers',
  write = writeUsual,
  programFields = ['command', 'args'],
  envField = 'env',
  fileOf,
}: McpPartOptions): ConfigPart {
  const find = (text: string) => {
    const read = readRoot(text);
    if ('problem' in read) return read;
    const servers = findMember(read.root, field);
    if (servers && servers.type !== 'object') return { problem: `has a "${field}" that is not an object` };
    return { root: read.root, servers };
  };
  const append = (text: string | null, entry: object) => {
    const value = { [MCP_SERVER_NAME]: entry };
    if (text === null || isBlankFile(text)) return { text: newFile(text, field, value) };
    const found = find(text);
    if ('problem' in found) return found;
    if (!found.servers) return { text: appendMember(text, found.root, field, value) };
    if (findMember(found.servers, MCP_SERVER_NAME)) return { problem: FOREIGN_SERVER };
    return { text: appendMember(text, found.servers, MCP_SERVER_NAME, entry) };
  };
  const change = (text: string, path: readonly string[], value: unknown) =>
    setMember(text, [field, MCP_SERVER_NAME, ...path], value);
  return {
    fileOf,
    grammar,
    add(text, { mcpServer, dataDir }, kept) {
      if (!mcpServer) return { text };
      const env = envOf(dataDir);
      const entry = write(mcpServer, env);
      const added = append(text, entry);
      if ('problem' in added || kept === undefined) return added;
      const withKept = replaceMember(added.text, [field, MCP_SERVER_NAME], kept);
      const withPrograms = programFields.reduce(
        (state, name) => change(state, [name], entry[name]),
        withKept,
      );
      return { text: change(withPrograms, [envField, DATA_DIR_VARIABLE], dataDir) };
    },
    remove(before) {
      let text = before;
      let [kept, extras]: [string | undefined, readonly string[]] = [undefined, []];
      const usual = write({ node: '', script: '' }, {});
      const programs: string[] = [];
      // A key may occur twice.
      while (text !== null && !isBlankFile(text)) {
        const found = find(text);
        if ('problem' in found) return found;
        const own = found.servers && findOwn(found.servers);
        if (!own) break;
        programs.unshift(...own.programs);
        if (kept === undefined) {
          extras = extrasOf(own.entry, usual, { programFields, envField });
          kept = text.slice(own.node.offset, endOf(own.node));
        }
        text = removeUpwards(text, own.member);
      }
      if (programs.length === 0) return { text, own: NOTHING };
      const own = { events: [], hasMcpServer: true, programs, extras };
      const hasAdditions = (entry: string) =>
        extras.length > 0 || findGrammarProblem(entry, STRICT_JSON) !== null;
      return { text, own, ...(kept !== undefined && hasAdditions(kept) && { kept }) };
    },
  };
}

const writeUsual = ({ node, script }: McpServer, env: Readonly<Record<string, string>>) => ({
  command: node,
  args: [script],
  ...(Object.keys(env).length === 0 ? {} : { env }),
});

interface Own {
  member: Node;
  node: Node;
  entry: Readonly<Record<string, unknown>>;
  programs: readonly string[];
}

function findOwn(servers: Node): Own | null {
  const node = findMember(servers, MCP_SERVER_NAME);
  const entry: unknown = node && getNodeValue(node);
  if (!node?.parent || !isRecord(entry)) return null;
  const programs = ownPrograms([entry['command'], entry['args']].flat());
  return programs === null ? null : { member: node.parent, node, entry, programs };
}
