import type { ObserverBatch } from '@claude-mem/core';
import { readLookup, getOutput, getText, type Steps } from '@claude-mem/evidence';

const TOTAL = 2_000_000;

/**
 * Creates a function that returns true when the inputs or outputs of the tools contain a term.
 * @param isWebSeen true to include pages and results of MCP tools, which do not prove file changes
 */
export function* seenTermSteps(
  batch: ObserverBatch,
  { isWebSeen }: { isWebSeen: boolean },
): Steps<(term: string) => boolean> {
  const parts: string[] = [];
  let size = 0;
  for (const [at, use] of batch.toolUses.entries()) {
    if (size > TOTAL) break;
    if (!isWebSeen && (use.toolName.startsWith('mcp__') || readLookup(use, at) !== null)) continue;
    yield;
    const part = [
      getOutput(use.response),
      fileText(use.response),
      getText(use.input, 'command', 'content', 'new_string', 'pattern', 'query') ?? '',
      getText(use.input, 'old_string') ?? '',
      use.error ?? '',
    ].join('\n');
    parts.push(part.slice(0, 80_000).toLowerCase());
    size += part.length;
  }
  const known = new Map<string, boolean>();
  return (term) => {
    const searchedTerm = term.toLowerCase().replace(/\(\)$/, '').trim();
    const isSeen =
      known.get(searchedTerm) ??
      (searchedTerm.length >= 3 && parts.some((part) => part.includes(searchedTerm)));
    known.set(searchedTerm, isSeen);
    return isSeen;
  };
}

/** Returns the text of a file that a tool read. */
function fileText(response: ObserverBatch['toolUses'][number]['response']): string {
  if (typeof response !== 'object' || response === null || !('file' in response)) return '';
  return getOutput((response as { file: typeof response }).file);
}
