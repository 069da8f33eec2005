/** Text with the commands that stand in it, so that they can be shown and copied as such. */
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

/** Words of the command itself; any other word after it belongs to the sentence. */
const WORDS =
  'backup|context|doctor|drop|get|list|local|logs|open|parked|queue|reindex|restart|retry|set|settings|start|status|stop|usage|warn';
const COMMAND = new RegExp(
  `claude-mem (?:${WORDS})\\b(?: (?:--[a-z][a-z-]*|[A-Z][A-Z0-9_]{3,}|\\d+|(?:${WORDS})\\b))*`,
  'g',
);
