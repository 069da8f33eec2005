const OPENING = '<claude-mem-context>';
const CLOSING = '</claude-mem-context>';

/** Lines of stored text between the marks by which it is known as ours, labelled as past data. */
export function pastDataBlock(label: string, lines: readonly string[]): string {
  return [OPENING, label, ...lines, CLOSING].join('\n');
}
