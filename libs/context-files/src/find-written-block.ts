import type { FileSnapshot } from './file-snapshot.js';
import type { LedgerEntry } from './ledger.js';
import { computeDigest, findBlock } from './find-block.js';

/** Returns the block in the file if it is unchanged since claude-mem wrote it, otherwise null. */
export function findWrittenBlock(found: FileSnapshot, { block: digest }: LedgerEntry): string | null {
  const block = found.kind === 'text' ? findBlock(found.text) : null;
  if (block?.kind !== 'one' || computeDigest(block.text) !== digest) return null;
  return Buffer.from(block.text, 'latin1').toString('utf8');
}
