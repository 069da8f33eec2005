import { isRecord } from '@claude-mem/core';
import { findMember } from '@claude-mem/core/json-text';
import type { HostPlace, McpServer } from '../host-adapter.js';
import { NOTHING, type ConfigPart } from './config-part.js';
import {
  appendMember,
  isBlankFile,
  newFile,
  readRoot,
  removeUpwards,
  type ObjectNode,
} from './json-edits.js';
import { readNode } from './locate-jsonc.js';
import { FOREIGN_SERVER, MCP_SERVER_NAME, ownPrograms } from './mcp-server-entry.js';

/** How a host wants its MCP servers. */
export interface McpPartOptions {
  /** The field that holds them by their names. @default mcpServers */
  field?: string;
  /** @default `command`, `args` and `env` */
  write?(server: McpServer, env: Readonly<Record<string, string>>): object;
  fileOf(place: HostPlace): string;
}

/** Our MCP server as an entry of a JSON file. */
export function createMcpPart({
  field = 'mcpServers',
  write = writeUsual,
  fileOf,
}: McpPartOptions): ConfigPart {
  const find = (text: string) => {
    const read = readRoot(text);
    if ('problem' in read) return read;
    const servers = findMember(read.root, field)?.value ?? null;
    if (servers && servers.kind !== 'object') return { problem: `has a "${field}" that is not an object` };
    return { root: read.root, servers };
  };
  return {
    fileOf,
    add(text, { mcpServer, dataDir }) {
      if (!mcpServer) return { text };
      const entry = write(mcpServer, dataDir === undefined ? {} : { CLAUDE_MEM_DATA_DIR: dataDir });
      const value = { [MCP_SERVER_NAME]: entry };
      if (text === null || isBlankFile(text)) return { text: newFile(text, field, value) };
      const found = find(text);
      if ('problem' in found) return found;
      if (!found.servers) return { text: appendMember(text, found.root, field, value) };
      if (findMember(found.servers, MCP_SERVER_NAME)) return { problem: FOREIGN_SERVER };
      return { text: appendMember(text, found.servers, MCP_SERVER_NAME, entry) };
    },
    remove(before) {
      let text = before;
      const programs: string[] = [];
      // a key may stand twice
      while (text !== null && !isBlankFile(text)) {
        const found = find(text);
        if ('problem' in found) return found;
        const own = found.servers && findOwn(text, found.servers);
        if (!found.servers || !own) break;
        programs.unshift(...own.programs);
        text = removeUpwards(text, [
          { container: found.servers, index: own.index },
          { container: found.root, index: found.root.members.findLastIndex(({ key }) => key === field) },
        ]);
      }
      return { text, own: programs.length === 0 ? NOTHING : { events: [], hasMcpServer: true, programs } };
    },
  };
}

const writeUsual = ({ node, script }: McpServer, env: Readonly<Record<string, string>>) => ({
  command: node,
  args: [script],
  ...(Object.keys(env).length === 0 ? {} : { env }),
});

function findOwn(text: string, servers: ObjectNode): { index: number; programs: readonly string[] } | null {
  const index = servers.members.findLastIndex(({ key }) => key === MCP_SERVER_NAME);
  const node = servers.members[index]?.value;
  const entry = node && readNode(text, node);
  if (!isRecord(entry)) return null;
  const words = [entry['command'], entry['args']].flat();
  const programs = ownPrograms(words);
  return programs === null ? null : { index, programs };
}
