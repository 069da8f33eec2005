import type { Statement } from './statement.js';

/** Formats a statement. A short answer is preceded by its question. */
export function formatStatement({ text, question }: Pick<Statement, 'text' | 'question'>): string {
  return question === null ? text : `“${question}” — ${text}`;
}
