import type { Statement } from './statement.js';

/** A short answer cannot be understood without its question. */
export function formatStatement({ text, question }: Pick<Statement, 'text' | 'question'>): string {
  return question === null ? text : `“${question}” — ${text}`;
}
