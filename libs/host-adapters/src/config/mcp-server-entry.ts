import { isAbsolute } from 'node:path';
import { isRecord } from '@claude-mem/core';

/** What our MCP server is called in every host; the names of its tools are made from it. */
export const MCP_SERVER_NAME = 'claude-mem';

/** The one variable that we set for it. */
export const DATA_DIR_VARIABLE = 'CLAUDE_MEM_DATA_DIR';

export const envOf = (dataDir: string | undefined): Readonly<Record<string, string>> =>
  dataDir === undefined ? {} : { [DATA_DIR_VARIABLE]: dataDir };

/**
 * The programs that the words of an entry start, or null when ours is not among them: only an entry of ours is ever replaced or taken
 * out.
 */
export function ownPrograms(words: readonly unknown[]): readonly string[] | null {
  const paths = words.filter((word): word is string => typeof word === 'string' && isAbsolute(word));
  return paths.some((path) => /[\\/]mcp-server\.(?:js|sh)$/.test(path)) ? paths : null;
}

/**
 * The fields of an entry of ours that a person added or changed, such as `disabled` or `env.LANG`.
 * @param written as we would write it. Its fields that name programs may differ.
 */
export function extrasOf(
  entry: Readonly<Record<string, unknown>>,
  written: Readonly<Record<string, unknown>>,
  { programFields = ['command', 'args'], envField = 'env' } = {},
): readonly string[] {
  return Object.entries(entry).flatMap(([field, value]) => {
    if (programFields.includes(field)) return [];
    if (field === envField && isRecord(value))
      return Object.keys(value)
        .filter((name) => name !== DATA_DIR_VARIABLE)
        .map((name) => `${field}.${name}`);
    return jsonOf(value) === jsonOf(written[field]) ? [] : [field];
  });
}

/** TOML's whole numbers are read as big ones. */
const jsonOf = (value: unknown) =>
  JSON.stringify(value, (_, item: unknown) => (typeof item === 'bigint' ? `${item}n` : item));

export const FOREIGN_SERVER = `has an MCP server "${MCP_SERVER_NAME}" that we did not write`;
