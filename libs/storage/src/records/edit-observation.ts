import {
  toSingleLine,
  type Fact,
  type Observation,
  type ObservationChange,
  type ObservationDraft,
} from '@claude-mem/core';
import type { Database } from '../database/driver.js';
import { TEXT_LIMITS } from '../limits.js';
import type { IndexWriter } from '@claude-mem/lexical-index';
import { StorageError } from '../storage-error.js';
import { markErasable } from './erase-forgotten.js';
import { MAX_PINNED, type ObservationRecords } from './observations.js';
import { createRewriteObservation } from './rewrite-observation.js';
import { storableText } from './storable.js';

/** Returns null when the observation does not exist. With `isNamed`, throws an error instead. */
export type EditObservation = (
  id: number,
  change: ObservationChange,
  now: number,
  options?: { isNamed?: boolean; ifUpdatedAtEpoch?: number },
) => Observation | null;

/** Changes an observation. The caller holds the transaction. */
export function createEditObservation(
  database: Database,
  observations: ObservationRecords,
  search: IndexWriter,
): EditObservation {
  const countPinned = database
    .prepare(
      'SELECT count(*) FROM observations WHERE project_id = ? AND pinned = 1 AND superseded_by IS NULL AND id <> ?',
    )
    .pluck();
  // The conversation of the observer contains the old text, so the observer starts a new one.
  const dropConversation = database.prepare('UPDATE sdk_sessions SET memory_session_id = NULL WHERE id = ?');
  const rewrite = createRewriteObservation(database, observations, search);

  const changeText = (known: Observation, draft: Partial<ObservationDraft>, now: number) => {
    requireText({ ...known, ...draft });
    const facts = draft.facts && withKnownOrigins(draft.facts, known.facts);
    const result = rewrite(known, { ...draft, ...(facts && { facts }) }, now);
    if (result.kind === 'same-content')
      throw refused(
        `#${result.id} of the same session has exactly the same text; forget one of the two`,
        known.id,
      );
    markErasable(database);
    dropConversation.run(known.sessionId);
  };

  const requireRoomFor = ({ id, projectId, pinned }: Observation) => {
    if (pinned || (countPinned.get(projectId, id) as number) < MAX_PINNED) return;
    throw refused(
      `${MAX_PINNED} observations of the project are pinned, the most that are looked at; unpin one`,
      id,
    );
  };

  const requireSuccessor = (known: Observation, successorId: number) => {
    const [successor] = observations.byIds([successorId]);
    if (successor === undefined) throw unknown(successorId);
    if (successor.id === known.id) throw refused(`#${known.id} cannot supersede itself`, known.id);
    if (successor.projectId !== known.projectId)
      throw refused(`#${successorId} belongs to another project than #${known.id}`, known.id);
    if (successor.supersededBy === known.id)
      throw refused(`#${known.id} supersedes #${successorId} already; undo that first`, known.id);
    if (successor.supersededBy !== null)
      throw refused(
        `#${successorId} is superseded itself, by #${successor.supersededBy}; name that one`,
        known.id,
      );
  };

  return (id, { pinned, supersededBy, ...draft }, now, { isNamed = false, ifUpdatedAtEpoch } = {}) => {
    const [known] = observations.byIds([id]);
    if (known === undefined) {
      if (isNamed) throw unknown(id);
      return null;
    }
    if (ifUpdatedAtEpoch !== undefined && ifUpdatedAtEpoch !== known.updatedAtEpoch)
      throw changedMeanwhile(id);
    const at = Math.max(Math.trunc(now), known.updatedAtEpoch + 1);
    if (Object.keys(draft).length > 0) changeText(known, draft, at);
    if (pinned === true) requireRoomFor(known);
    if (typeof supersededBy === 'number') requireSuccessor(known, supersededBy);
    if (pinned !== undefined || supersededBy !== undefined) {
      const marks = {
        pinned: pinned ?? known.pinned,
        supersededBy: supersededBy === undefined ? known.supersededBy : supersededBy,
      };
      observations.updateMarks({ id, ...marks }, at);
    }
    return observations.byIds([id])[0] ?? null;
  };
}

/** @throws StorageError when the record would have no text */
export function requireText({ title, narrative, facts }: ObservationDraft): void {
  if (
    [title, narrative, ...facts.map(({ text }) => text)].some((text) => text !== null && text.trim() !== '')
  )
    return;
  throw new StorageError('storage/refused', 'an observation needs a title, a text or a fact');
}

const unknown = (id: number) =>
  new StorageError('storage/unknown-record', `there is no observation #${id}`, { data: { id } });

const changedMeanwhile = (id: number) =>
  new StorageError(
    'storage/changed-meanwhile',
    `#${id} was changed meanwhile, so nothing was overwritten; look at it as it is now`,
    { data: { id } },
  );

const refused = (reason: string, id: number) => new StorageError('storage/refused', reason, { data: { id } });

/** A client that changes some facts sends all of them as one-line texts. */
function withKnownOrigins(facts: readonly Fact[], known: readonly Fact[]): readonly Fact[] {
  const keyOf = (text: string) => toSingleLine(storableText(text, TEXT_LIMITS.fact));
  const origins = new Map(known.map(({ text, origin }) => [keyOf(text), origin]));
  return facts.map(({ text, origin }) => {
    const knownOrigin = origins.get(keyOf(text));
    return { text, origin: knownOrigin === undefined ? origin : knownOrigin };
  });
}
