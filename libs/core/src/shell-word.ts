import { shellQuote } from './shell-quote.js';

/** Quotes a path or text as one word of a shell command that the user can copy. */
export const shellWord = (text: string): string => (/^[\w/.-]+$/.test(text) ? text : shellQuote(text));
