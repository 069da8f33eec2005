import { isBlankFile, readRoot } from './json-edits.js';
import { placeIn } from './place-in.js';

/** What a host accepts in a file beyond JSON (RFC 8259). */
export interface JsonGrammar {
  comments: boolean;
  trailingCommas: boolean;
}

export const STRICT_JSON: JsonGrammar = { comments: false, trailingCommas: false };
export const JSON_WITH_COMMENTS: JsonGrammar = { comments: true, trailingCommas: false };
export const JSONC: JsonGrammar = { comments: true, trailingCommas: true };

/** Returns why a host rejects a text, with line and column. Null when the host accepts it, and for an empty file. */
export function findGrammarProblem(text: string, grammar: JsonGrammar): string | null {
  if (isBlankFile(text)) return null;
  const read = readRoot(text);
  if ('problem' in read) return read.problem;
  const { comment, trailingComma } = read;
  if (!grammar.comments && comment !== null)
    return `has a comment at ${placeIn(text, comment)}, and its host accepts no comments`;
  if (!grammar.trailingCommas && trailingComma !== null)
    return `has a comma after the last element at ${placeIn(text, trailingComma)}, and its host accepts none there`;
  return null;
}
