import type { PastRecord } from '@claude-mem/context-render/mcp';
import type { FoundItem } from '@claude-mem/worker-protocol';

/** Converts a search result to a record without its score. */
export function toPastRecord(found: FoundItem): PastRecord {
  const { project } = found;
  switch (found.kind) {
    case 'observation':
      return { kind: 'observation', item: found.item, project };
    case 'session':
      return { kind: 'session', item: found.item, project };
    case 'prompt':
      return { kind: 'prompt', item: found.item, project };
  }
}
