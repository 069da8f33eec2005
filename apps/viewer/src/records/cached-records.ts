import type { Observation } from '@claude-mem/core';

type Changed = Pick<Observation, 'uid'> & Partial<Observation>;

/**
 * Returns a response with the changes of an observation applied everywhere in it. Unchanged objects keep their
 * identity.
 */
export function withChanged<Data>(data: Data, changed: Changed): Data {
  return mapped(data, (value) =>
    isObservation(value) && value.uid === changed.uid ? { ...value, ...changed } : value,
  ) as Data;
}

export interface ForgottenRecords {
  observationIds: readonly number[];
  sessionIds: readonly number[];
}

/** Returns a response without forgotten records and without list entries that refer to them. */
export function withoutForgotten<Data>(data: Data, { observationIds, sessionIds }: ForgottenRecords): Data {
  const observations = new Set(observationIds);
  const sessions = new Set(sessionIds);
  const isForgotten = (value: unknown): boolean => {
    if (!isPlainObject(value)) return false;
    if (isObservation(value)) return observations.has(value.id) || sessions.has(value.sessionId);
    if ('item' in value) return isForgotten(value['item']);
    if (typeof value['uid'] !== 'string') return false;
    return sessions.has(Number(value['sessionId'] ?? ('contentSessionId' in value ? value['id'] : 0)));
  };
  return mapped(data, (value) => {
    if (!Array.isArray(value)) return value;
    const kept = value.filter((item) => !isForgotten(item));
    return kept.length === value.length ? value : kept;
  }) as Data;
}

function mapped(value: unknown, change: (value: unknown) => unknown): unknown {
  const changed = change(value);
  if (changed !== value && !Array.isArray(changed)) return changed;
  if (Array.isArray(changed)) {
    const items = changed.map((item) => mapped(item, change));
    return items.every((item, index) => item === changed[index]) ? changed : items;
  }
  if (!isPlainObject(value)) return value;
  const entries = Object.entries(value).map(([name, field]) => [name, mapped(field, change)] as const);
  return entries.every(([name, field]) => field === value[name]) ? value : Object.fromEntries(entries);
}

function isPlainObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}

const isObservation = (value: unknown): value is Observation =>
  isPlainObject(value) && typeof value['uid'] === 'string' && 'supersededBy' in value;
