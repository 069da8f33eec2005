import type { JsonValue, ObserverBatch } from '@claude-mem/core';

/** What the tool uses of a batch show, without anybody's word for it. */
export interface TurnEvidence {
  readonly filesRead: readonly string[];
  readonly filesModified: readonly string[];
}

const EDIT_TOOLS = new Set(['Edit', 'Write', 'MultiEdit', 'NotebookEdit']);

export function evidenceOf(batch: ObserverBatch): TurnEvidence {
  const filesRead = new Set<string>();
  const filesModified = new Set<string>();
  for (const use of batch.toolUses) {
    if (use.outcome === 'failed') continue;
    const path = pathOf(use.input);
    if (path === null) continue;
    const root = batch.session.projectRoot;
    const relative = root !== null && path.startsWith(`${root}/`) ? path.slice(root.length + 1) : path;
    if (EDIT_TOOLS.has(use.toolName)) filesModified.add(relative);
    if (use.toolName === 'Read') filesRead.add(relative);
  }
  return { filesRead: [...filesRead], filesModified: [...filesModified] };
}

function pathOf(input: JsonValue): string | null {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return null;
  const path = (input as Record<string, JsonValue>)['file_path'];
  return typeof path === 'string' ? path : null;
}
