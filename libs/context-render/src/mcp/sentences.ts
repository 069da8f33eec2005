import { quoteLineForAgent, truncateQuoted } from '@claude-mem/privacy';

const LONGEST_NAME = 60;
const LONGEST_NOTE = 300;

/** How an agent that has the tools gets at the rest of a context. */
export const MORE_OVER_MCP = 'Whole record: get_observations. Search: search_memory.';

/** A sentence of ours that may hold stored text, such as the name of a project: one line, quoted as a whole, at most so long. */
export function sentenceLine(sentence: string, longest: number): string {
  return truncateQuoted(quoteLineForAgent(sentence.slice(0, 2 * longest + 1_000)), longest);
}

/** Names of projects are chosen by folders, so they are quoted as all stored text is. */
export const projectName = (name: string): string => sentenceLine(name, LONGEST_NAME);

/** Facts about an answer, such as what it had to do without. */
export function noteLines(notes: readonly string[]): string[] {
  return notes.slice(0, 5).map((note) => `Note: ${sentenceLine(note, LONGEST_NOTE)}`);
}
