import { toSingleLine, truncate } from '@claude-mem/core';
import { unquoted } from './text/unquoted.js';

/** The name of a file without its folders. */
export const shortPath = (path: string): string => formatPath(path.split('/').at(-1) || path);

/** A path in a sentence. In quotation marks when it is more than one word, such as `## Pinned`, or written like Markdown. */
export const formatPath = (path: string): string =>
  PLAIN.test(path) ? path : `“${unquoted(truncate(toSingleLine(path), LENGTH)).replaceAll('`', "'")}”`;

const LENGTH = 100;
const PLAIN = /^(?=.*[\p{L}\p{N}])[\p{L}\p{N}/._@+~$()[\]{},=-]+$/u;
