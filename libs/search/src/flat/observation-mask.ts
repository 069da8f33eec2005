import { HOST_NAMES } from '@claude-mem/core';
import { createSessionHosts, grownTo, inSlices, RECORD_KINDS } from '@claude-mem/lexical-index';
import type { SearchTables } from '@claude-mem/storage';
import type { VectorFilter } from '../ports/vector-index.js';
import { isAnyOf } from './is-any-of.js';

/** The observations that match a filter: 1 at the id of each. Ids beyond the end do not match. */
type ObservationMask = (filter: VectorFilter) => Promise<Uint8Array>;

/**
 * The filterable fields of observations in memory, by id. Loaded with the first filter and updated before each
 * further one.
 */
export function createObservationMask(tables: SearchTables): ObservationMask {
  let projectIds = new Uint32Array(0);
  let sessionIds = new Uint32Array(0);
  let types = new Uint16Array(0);
  let created = new Float64Array(0);
  const sessionHosts = createSessionHosts(tables);
  const typeNumbers = new Map<string, number>();
  const masks = new Map<string, Uint8Array>();
  let epoch = -1;
  let lastDocumentId = 0;
  let end = 0;

  const readSlice = (): boolean =>
    tables.snapshot(() => {
      const state = tables.state();
      if (state.epoch !== epoch) {
        epoch = state.epoch;
        lastDocumentId = 0;
        end = 0;
        projectIds.fill(0);
        masks.clear();
      }
      if (state.lastDocumentId <= lastDocumentId) return true;
      masks.clear();
      let left = DOCUMENTS_PER_SLICE;
      const documents = tables.documentsAfter(lastDocumentId);
      for (const [id, kind, recordId, projectId, sessionId, , createdAtEpoch, type] of documents) {
        lastDocumentId = id;
        if (RECORD_KINDS[kind] === 'observation') {
          end = Math.max(end, recordId + 1);
          projectIds = grownTo(projectIds, end);
          sessionIds = grownTo(sessionIds, end);
          types = grownTo(types, end);
          created = grownTo(created, end);
          projectIds[recordId] = projectId;
          sessionIds[recordId] = sessionId;
          types[recordId] = numberOf(typeNumbers, type ?? '');
          created[recordId] = createdAtEpoch;
        }
        left -= 1;
        if (left === 0) return false;
      }
      lastDocumentId = state.lastDocumentId;
      return true;
    });

  const maskOf = (filter: VectorFilter): Uint8Array => {
    const isProject = isAnyOf(filter.projectIds);
    const isSession = isAnyOf(filter.sessionIds);
    const isHost = isAnyOf(filter.hosts?.map((host) => HOST_NAMES.indexOf(host)));
    const isType = isAnyOf(filter.types?.map((type) => typeNumbers.get(type) ?? -1));
    const from = filter.fromEpoch ?? -Infinity;
    const to = filter.toEpoch ?? Infinity;
    const mask = new Uint8Array(end);
    for (let id = 0; id < end; id += 1)
      if (
        projectIds[id] !== 0 &&
        created[id]! >= from &&
        created[id]! <= to &&
        isProject(projectIds[id]!) &&
        isType(types[id]!) &&
        isSession(sessionIds[id]!) &&
        (filter.hosts === undefined || isHost(sessionHosts.numberOf(sessionIds[id]!)))
      )
        mask[id] = 1;
    return mask;
  };

  return async (filter) => {
    await inSlices(readSlice);
    const key = JSON.stringify(filter);
    const known = masks.get(key);
    if (known !== undefined) return known;
    if (masks.size === MASKS_KEPT) masks.clear();
    const mask = maskOf(filter);
    masks.set(key, mask);
    return mask;
  };
}

const MASKS_KEPT = 8;
const DOCUMENTS_PER_SLICE = 4000;

function numberOf(numbers: Map<string, number>, value: string): number {
  const known = numbers.get(value);
  if (known !== undefined) return known;
  numbers.set(value, numbers.size);
  return numbers.size - 1;
}
