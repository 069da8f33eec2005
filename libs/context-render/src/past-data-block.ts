const OPENING = '<claude-mem-context>';
const CLOSING = '</claude-mem-context>';

/** Wraps lines of stored text in the claude-mem tags, with a label that marks them as past data. */
export function pastDataBlock(label: string, lines: readonly string[]): string {
  return [OPENING, label, ...lines, CLOSING].join('\n');
}
