import { messageOf, type Clock, type ImportedRecord, type ProjectRef, type Store } from '@claude-mem/core';
import type { ImportReply, ImportRequest } from '@claude-mem/worker-protocol';
import { isDeeperThan } from '../http/json-depth.js';
import { isEmptyObservation, readTransferRecord, type TransferReading } from './read-transfer-record.js';
import { scrubImport } from './scrub-import.js';

/** Number of records per transaction, which limits how long other requests wait. */
const SLICE = 50;
const MAX_DEPTH = 20;
const COUNTED = ['inserted', 'known', 'forgotten', 'pinned', 'manual', 'userFacts', 'superseded'] as const;

/**
 * The project of a folder, as events from that folder get it, or null for the name of a project. `isExcluded`: nothing of the
 * project may be stored.
 */
export type FindImportedProject = (project: string) => { project: ProjectRef | null; isExcluded: boolean };

/**
 * Imports exported records and scrubs them like all input. An invalid record is reported with its line and does not
 * stop the others. Each part is committed, so that an interrupted request can be repeated.
 */
export async function importRecords(
  request: ImportRequest,
  {
    store,
    findProject,
    clock,
  }: {
    store: Pick<Store, 'importRecords'>;
    findProject: FindImportedProject;
    clock: Clock;
  },
): Promise<ImportReply> {
  const counts = { inserted: 0, known: 0, forgotten: 0, pinned: 0, manual: 0, userFacts: 0, superseded: 0 };
  const failed: ImportReply['failed'] = [];
  const notSuperseded: ImportReply['notSuperseded'] = [];
  const { takeForgotten = false, existingUpTo: given } = Array.isArray(request) ? {} : request;
  const existingUpTo = given ?? (await store.importRecords([], { now: clock.now() })).existingUpTo;
  const entries = Array.isArray(request)
    ? request.map((value, at) => ({ line: at + 1, read: () => value as unknown }))
    : request.lines.flatMap((text, at) =>
        text.trim() === '' ? [] : [{ line: at + 1, read: () => parseLine(text) }],
      );
  for (let from = 0; from < entries.length; from += SLICE) {
    const usable: { line: number; record: ImportedRecord }[] = [];
    for (const { line, read } of entries.slice(from, from + SLICE)) {
      const reading = readAndScrub(read, { findProject, now: clock.now() });
      if (reading.kind === 'record') usable.push({ line, record: reading.record });
      else failed.push({ line, reason: reading.reason });
    }
    const records = usable.map(({ record }) => record);
    const result = await store.importRecords(records, {
      now: clock.now(),
      takeForgotten,
      existingUpTo,
    });
    for (const name of COUNTED) counts[name] += result[name];
    notSuperseded.push(...result.notSuperseded);
    for (const { index, reason } of result.failed) failed.push({ line: usable[index]?.line ?? 1, reason });
    await new Promise((resolve) => setImmediate(resolve));
  }
  failed.sort((one, other) => one.line - other.line);
  return { ...counts, failed, notSuperseded, existingUpTo };
}

function readAndScrub(
  read: () => unknown,
  { findProject, now }: { findProject: FindImportedProject; now: number },
): TransferReading {
  let value: unknown;
  try {
    value = read();
  } catch (error) {
    return { kind: 'unusable', reason: `it is no JSON: ${messageOf(error).slice(0, 200)}` };
  }
  const reading = readTransferRecord(value, { now });
  if (reading.kind === 'unusable') return reading;
  const { project } = reading.record;
  const found = typeof project === 'string' ? findProject(project) : { project: null, isExcluded: false };
  if (found.isExcluded) return { kind: 'unusable', reason: 'its project is excluded by the settings' };
  const record = scrubImport({ ...reading.record, project: found.project ?? project });
  return isEmptyObservation(record)
    ? { kind: 'unusable', reason: 'nothing is left of it without private text and secrets' }
    : { kind: 'record', record };
}

function parseLine(text: string): unknown {
  if (isDeeperThan(text, MAX_DEPTH)) throw new Error('it is nested too deep');
  try {
    return JSON.parse(text);
  } catch {
    // The message of JSON.parse quotes the text, which may contain secrets.
    throw new Error('it cannot be parsed');
  }
}
