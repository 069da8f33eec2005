import type { Observation } from '@claude-mem/core';

type Changed = Pick<Observation, 'uid'> & Partial<Observation>;

/** Any answer of the worker with what changed of an observation, wherever it is in it. What stays the same keeps its identity. */
export function withChanged<Data>(data: Data, changed: Changed): Data {
  return mapped(data, (value) =>
    isObservation(value) && value.uid === changed.uid ? { ...value, ...changed } : value,
  ) as Data;
}

export interface ForgottenRecords {
  observationIds: readonly number[];
  sessionIds: readonly number[];
}

/** Any answer of the worker without what was forgotten: it, and entries that are about it, leave every list. */
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
