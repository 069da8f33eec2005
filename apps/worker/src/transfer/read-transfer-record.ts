import { isRecord, type ImportedObservation } from '@claude-mem/core';

export type TransferReading =
  { kind: 'record'; record: ImportedObservation } | { kind: 'unusable'; reason: string };

/**
 * Reads one record of the interchange form as far as it can be understood. What is missing gets what a record without it
 * has; what is there and of another kind than asked for is a mistake that a person should see.
 */
export function readTransferRecord(value: unknown, { now }: { now: number }): TransferReading {
  if (!isRecord(value)) return unusable('it is no JSON object');
  const problems: string[] = [];
  const text = (name: string): string | null => {
    const field = value[name] ?? null;
    if (field === null || typeof field === 'string') return field;
    problems.push(`${name} must be a text`);
    return null;
  };
  const id = (name: string): string | null => {
    const field = value[name];
    const asText = typeof field === 'number' ? String(field) : text(name);
    return asText === null || asText.trim() === '' ? null : asText.trim().slice(0, MAX_ID);
  };
  const texts = (name: string): string[] => {
    const field = value[name] ?? [];
    if (Array.isArray(field) && field.every((item) => typeof item === 'string')) return field;
    problems.push(`${name} must be a list of texts`);
    return [];
  };

  const uid = id('uid');
  if (uid === null && problems.length === 0) problems.push('uid is missing');
  const createdAtEpoch = readMoment(value['created_at'], now);
  if (createdAtEpoch === null) problems.push('created_at must be an ISO time or milliseconds since 1970');
  const promptNumber = value['prompt_number'] ?? 0;
  if (!isCount(promptNumber)) problems.push('prompt_number must be a whole number from 0');
  const record = {
    uid: uid ?? '',
    project: id('project'),
    session: id('session'),
    promptNumber: Number(promptNumber),
    type: id('type') ?? 'discovery',
    title: text('title'),
    subtitle: text('subtitle'),
    narrative: text('narrative'),
    facts: texts('facts'),
    concepts: texts('concepts'),
    filesRead: texts('files_read'),
    filesModified: texts('files_modified'),
    createdAtEpoch: createdAtEpoch ?? now,
  };
  if (problems.length > 0) return unusable(problems.join('; '));
  if (!hasText(record)) return unusable('it has neither title nor narrative nor facts');
  return { kind: 'record', record };
}

/** True when there is something to remember. */
export function hasText({
  title,
  narrative,
  facts,
}: Pick<ImportedObservation, 'title' | 'narrative' | 'facts'>): boolean {
  return [title, narrative, ...facts].some((part) => part !== null && part.trim() !== '');
}

const MAX_ID = 4_096;
const MAX_EPOCH = 8.64e15;

const unusable = (reason: string): TransferReading => ({ kind: 'unusable', reason });
const isCount = (value: unknown) => Number.isSafeInteger(value) && Number(value) >= 0 && Number(value) < 1e9;

function readMoment(value: unknown, now: number): number | null {
  if (value === undefined || value === null) return now;
  if (typeof value === 'number') return value >= 0 && value <= MAX_EPOCH ? Math.floor(value) : null;
  if (typeof value !== 'string' || !ISO.test(value.trim())) return null;
  const epoch = Date.parse(value.trim());
  const day = value.trim().slice(0, 10);
  const isRealDay = new Date(`${day}T00:00:00Z`).toISOString().startsWith(day);
  return epoch >= 0 && isRealDay ? epoch : null;
}

const ISO = /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])(?:[T ]|$)/;
