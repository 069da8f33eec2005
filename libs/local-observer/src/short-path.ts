import { toSingleLine, truncate } from '@claude-mem/core';
import { unquoted } from './text/unquoted.js';

/** Returns the name of a file without its folders. */
export const shortPath = (path: string): string => formatPath(path.split('/').at(-1) || path);

/**
 * Formats a path in a sentence. A path with several words, such as `## Pinned`, or with Markdown is put in quotation
 * marks.
 */
export const formatPath = (path: string): string =>
  PLAIN.test(path) ? path : `“${unquoted(truncate(toSingleLine(path), LENGTH)).replaceAll('`', "'")}”`;

const LENGTH = 100;
const PLAIN = /^(?=.*[\p{L}\p{N}])[\p{L}\p{N}/._@+~$()[\]{},=-]+$/u;
