import type { ObserverBatch } from '@claude-mem/core';
import { readLookup, getOutput, getText, type Steps } from '@claude-mem/evidence';

const TOTAL = 2_000_000;

/**
 * A test whether a term occurs in what the turn's tools were given or gave back. `isWebSeen`: also in pages and results of
 * MCP tools. These do not prove changes of files.
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
    const wanted = term.toLowerCase().replace(/\(\)$/, '').trim();
    const isSeen = known.get(wanted) ?? (wanted.length >= 3 && parts.some((part) => part.includes(wanted)));
    known.set(wanted, isSeen);
    return isSeen;
  };
}

/** The text of a file that a tool read. */
function fileText(response: ObserverBatch['toolUses'][number]['response']): string {
  if (typeof response !== 'object' || response === null || !('file' in response)) return '';
  return getOutput((response as { file: typeof response }).file);
}
