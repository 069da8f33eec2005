import type { FileSnapshot } from './file-snapshot.js';
import type { LedgerEntry } from './ledger.js';
import { digestOf, findBlock } from './our-block.js';

/** Our block, as far as it stands in the file as we wrote it last; null when it does not. */
export function blockAsWritten(found: FileSnapshot, { block: digest }: LedgerEntry): string | null {
  const block = found.kind === 'text' ? findBlock(found.text) : null;
  if (block?.kind !== 'one' || digestOf(block.text) !== digest) return null;
  return Buffer.from(block.text, 'latin1').toString('utf8');
}
