import { quoteLineForAgent, truncateQuoted } from '@claude-mem/privacy';

const MAX_NAME_LENGTH = 60;
const MAX_NOTE_LENGTH = 300;

/** Last line of a context for agents that have the MCP tools. */
export const MORE_OVER_MCP = 'Complete record: get_observations. Search: search_memory.';

/** Quotes a sentence on one line, because it can contain stored text, such as the name of a project. */
export function formatSentence(sentence: string, maxLength: number): string {
  return truncateQuoted(quoteLineForAgent(sentence.slice(0, 2 * maxLength + 1_000)), maxLength);
}

/** Quotes the name of a project, which comes from a folder name. */
export const formatProjectName = (name: string): string => formatSentence(name, MAX_NAME_LENGTH);

/** Renders notes about a response, such as degraded results. */
export function formatNotes(notes: readonly string[]): string[] {
  return notes.slice(0, 5).map((note) => `Note: ${formatSentence(note, MAX_NOTE_LENGTH)}`);
}
