/**
 * Removes the reasoning that local servers put before a reply: a leading `<think>` block, or only its end when the
 * chat template contains the beginning. Records are never removed.
 */
export function withoutReasoning(text: string): string {
  const open = /^\s*<(think|thinking|reasoning)>/i.exec(text);
  if (open) {
    const end = endOf(text, open[1] ?? '', open[0].length);
    return end === null ? '' : text.slice(end);
  }
  const close = /<\/(think|thinking)>/i.exec(text);
  if (!close || /<(observation|summary|skip_summary)\b/i.test(text.slice(0, close.index))) return text;
  return text.slice(close.index + close[0].length);
}

function endOf(text: string, tag: string, from: number): number | null {
  const close = `</${tag.toLowerCase()}>`;
  const at = text.toLowerCase().indexOf(close, from);
  return at === -1 ? null : at + close.length;
}
