import type { Observation } from '@claude-mem/core';

type Changed = Pick<Observation, 'uid'> & Partial<Observation>;

/** Any answer of the worker with what changed of an observation, wherever it is in it. What stays the same keeps its identity. */
export function withChanged<Data>(data: Data, changed: Changed): Data {
  return mapped(data, (value) =>
    isObservation(value) && value.uid === changed.uid ? { ...value, ...changed } : value,
  ) as Data;
}

/** Any answer of the worker without some observations: they, and entries that are about one, leave every list. */
export function withoutForgotten<Data>(data: Data, uids: ReadonlySet<string>): Data {
  const isForgotten = (value: unknown) =>
    isObservation(value) ? uids.has(value.uid) : isEntry(value) && uids.has(value.item.uid);
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

const isEntry = (value: unknown): value is { item: Observation } =>
  isPlainObject(value) && isObservation(value['item']);
