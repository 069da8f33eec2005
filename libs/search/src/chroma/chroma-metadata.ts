import { truncate } from '@claude-mem/core';
import type { Where } from 'chromadb';
import type { VectorDocument, VectorFilter, VectorHit } from '../ports/vector-index.js';

/** Chroma rejects null and invalid Unicode. A missing field only fails the filters on it. */
export function metadataOf({ id, contentHash, metadata }: VectorDocument): Record<string, string | number> {
  const fields = {
    content_hash: contentHash,
    doc_type: /_fact_\d+$/.test(id) ? 'fact' : 'narrative',
    observation_id: metadata.observationId,
    project: metadata.projectId,
    type: metadata.type,
    created_at_epoch: metadata.createdAtEpoch,
  };
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, value]): [string, string | number][] => {
      if (typeof value === 'string') return [[name, truncate(value, 200).toWellFormed()]];
      return Number.isFinite(value) ? [[name, value]] : [];
    }),
  );
}

export function whereOf(filter: VectorFilter | undefined): Where | 'everything' | 'nothing' {
  const { projectIds, types, fromEpoch, toEpoch } = filter ?? {};
  if (projectIds?.length === 0 || types?.length === 0) return 'nothing';
  const conditions: Where[] = [];
  if (projectIds !== undefined) conditions.push({ project: { $in: [...projectIds] } });
  if (types !== undefined)
    conditions.push({ type: { $in: types.map((type) => truncate(type, 200).toWellFormed()) } });
  if (fromEpoch !== undefined && Number.isFinite(fromEpoch))
    conditions.push({ created_at_epoch: { $gte: fromEpoch } });
  if (toEpoch !== undefined && Number.isFinite(toEpoch))
    conditions.push({ created_at_epoch: { $lte: toEpoch } });
  const [first, ...others] = conditions;
  if (first === undefined) return 'everything';
  return others.length === 0 ? first : { $and: conditions };
}

/** Responses are not trusted: rows that are not documents of this index are skipped. */
export function hitOf(row: {
  id: string;
  distance?: number | null;
  metadata?: Record<string, unknown> | null;
}): VectorHit[] {
  const observationId = row.metadata?.['observation_id'];
  if (typeof row.distance !== 'number' || typeof observationId !== 'number') return [];
  if (!Number.isFinite(row.distance) || !Number.isSafeInteger(observationId)) return [];
  return [{ id: String(row.id), observationId, score: Math.max(-1, Math.min(1, 1 - row.distance)) }];
}
