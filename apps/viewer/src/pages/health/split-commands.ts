/** A part of a text. Commands are separate parts, so that they can be shown and copied as commands. */
export type Part = { kind: 'text' | 'command'; text: string };

export function splitCommands(text: string): Part[] {
  const parts: Part[] = [];
  let at = 0;
  for (const found of text.matchAll(COMMAND)) {
    if (found.index > at) parts.push({ kind: 'text', text: text.slice(at, found.index) });
    parts.push({ kind: 'command', text: found[0] });
    at = found.index + found[0].length;
  }
  if (at < text.length) parts.push({ kind: 'text', text: text.slice(at) });
  return parts;
}

/** Words that can belong to a command. Any other word after a command belongs to the sentence. */
const COMMAND_WORDS =
  'backup|context|doctor|drop|get|list|local|logs|open|parked|queue|reindex|restart|retry|set|settings|start|status|stop|usage|warn';
const COMMAND = new RegExp(
  `claude-mem (?:${COMMAND_WORDS})\\b(?: (?:--[a-z][a-z-]*|[A-Z][A-Z0-9_]{3,}|\\d+|(?:${COMMAND_WORDS})\\b))*`,
  'g',
);
