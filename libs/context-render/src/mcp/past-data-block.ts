import { quoteLineForAgent } from '@claude-mem/privacy';
import { truncate } from '@claude-mem/core';

const OPENING = '<claude-mem-context>';
const CLOSING = '</claude-mem-context>';
const LONGEST_NAME = 60;
const LONGEST_NOTE = 300;

/** How an agent that has the tools gets at the rest of a context. */
export const MORE_OVER_MCP = 'Whole record: get_observations. Search: search_memory.';

/** Lines of stored text between the marks by which it is known as ours, labelled as past data. */
export function pastDataBlock(label: string, lines: readonly string[]): string {
  return [OPENING, label, ...lines, CLOSING].join('\n');
}

/** Names of projects are chosen by folders, so they are quoted as all stored text is. */
export function projectName(name: string): string {
  return truncate(quoteLineForAgent(name.slice(0, 1_000)), LONGEST_NAME);
}

/** Facts about an answer, such as what it had to do without. */
export function noteLines(notes: readonly string[]): string[] {
  return notes.slice(0, 5).map((note) => `Note: ${truncate(quoteLineForAgent(note), LONGEST_NOTE)}`);
}
