import type { FileState, ObservationDraft, ObserverBatch } from '@claude-mem/core';
import { readEvidence, type TurnEvidence } from '@claude-mem/evidence';
import { readFileContent } from '@claude-mem/freshness';

/** Maximum number of files per batch whose state is stored. */
const MAX_FILES = 200;

/** Adds the state of the files to each record: the role of the file in the turn, and its current content. */
export async function withFileStates<Draft extends ObservationDraft>(
  batch: ObserverBatch,
  drafts: readonly Draft[],
  { signal }: { signal: AbortSignal },
): Promise<(Draft & { fileStates: readonly FileState[] })[]> {
  const { projectRoot } = batch.session;
  const states = new Map<string, FileState>();
  const paths = [...new Set(drafts.flatMap(filesOf))].slice(0, MAX_FILES);
  if (projectRoot !== null && paths.length > 0) {
    const modified = new Set(drafts.flatMap(({ filesModified }) => filesModified));
    const roles = rolesIn(await readEvidence(batch, { signal }));
    for (const path of paths) {
      const role = roles.get(path) ?? (modified.has(path) ? 'modified' : 'read');
      const hasContent = role !== 'deleted' && role !== 'moved-from';
      const content = hasContent ? await readFileContent(projectRoot, path) : null;
      states.set(path, { path, role, blob: content?.kind === 'blob' ? content.ids[0] : null });
    }
  }
  return drafts.map((draft) => ({
    ...draft,
    fileStates: [...new Set(filesOf(draft))].flatMap((path) => states.get(path) ?? []),
  }));
}

const filesOf = ({ filesModified, filesRead }: ObservationDraft) => [...filesModified, ...filesRead];

function rolesIn({ changes }: TurnEvidence): Map<string, FileState['role']> {
  const roles = new Map<string, FileState['role']>();
  for (const { path, kind, from } of changes) {
    if (from !== null) roles.set(from, 'moved-from');
    roles.set(path, kind === 'moved' ? 'modified' : kind);
  }
  return roles;
}
