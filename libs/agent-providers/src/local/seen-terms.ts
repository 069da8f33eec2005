import type { ObserverBatch } from '@claude-mem/core';
import { outputOf, textOf } from '../evidence/json-fields.js';

const TOTAL = 2_000_000;

/** A test whether a term occurs in what the turn's tools were given or gave back. */
export function createSeenTerms(batch: ObserverBatch): (term: string) => boolean {
  const parts: string[] = [];
  let size = 0;
  for (const use of batch.toolUses) {
    if (size > TOTAL) break;
    const part = [
      outputOf(use.response),
      fileText(use.response),
      textOf(use.input, 'command', 'content', 'new_string', 'pattern', 'query') ?? '',
      textOf(use.input, 'old_string') ?? '',
      use.error ?? '',
    ].join('\n');
    parts.push(part.slice(0, 80_000));
    size += part.length;
  }
  const text = parts.join('\n').toLowerCase();
  return (term) => {
    const wanted = term.toLowerCase().replace(/\(\)$/, '').trim();
    return wanted.length >= 3 && text.includes(wanted);
  };
}

function fileText(response: ObserverBatch['toolUses'][number]['response']): string {
  if (typeof response !== 'object' || response === null || !('file' in response)) return '';
  return outputOf((response as { file: typeof response }).file);
}
