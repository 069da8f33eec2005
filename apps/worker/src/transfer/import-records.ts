import { messageOf, type Clock, type ImportedObservation, type Store } from '@claude-mem/core';
import { createTextScrubber } from '@claude-mem/privacy';
import type { ImportReply, ImportRequest } from '@claude-mem/worker-protocol';
import { isDeeperThan } from '../http/json-depth.js';
import { hasText, readTransferRecord, type TransferReading } from './read-transfer-record.js';

/** Records in one transaction: other requests wait no longer than it takes. */
const SLICE = 50;
const MAX_DEPTH = 20;

/**
 * Stores records of the interchange form, scrubbed like everything that comes in. A record that cannot be used is named by its
 * line and stops no other. What is done is committed, so that a request that broke off can be sent again.
 */
export async function importRecords(
  request: ImportRequest,
  {
    store,
    isExcluded,
    clock,
  }: {
    store: Pick<Store, 'importObservations'>;
    /** True when nothing of the project may be kept. */
    isExcluded(project: string): boolean;
    clock: Clock;
  },
): Promise<ImportReply> {
  const reply: ImportReply = { inserted: 0, known: 0, forgotten: 0, failed: [] };
  const takeForgotten = !Array.isArray(request) && request.takeForgotten === true;
  const entries = Array.isArray(request)
    ? request.map((value, at) => ({ line: at + 1, read: () => value as unknown }))
    : request.lines.flatMap((text, at) =>
        text.trim() === '' ? [] : [{ line: at + 1, read: () => parseLine(text) }],
      );
  for (let from = 0; from < entries.length; from += SLICE) {
    const usable: { line: number; record: ImportedObservation }[] = [];
    for (const { line, read } of entries.slice(from, from + SLICE)) {
      const reading = readAndScrub(read, { isExcluded, now: clock.now() });
      if (reading.kind === 'record') usable.push({ line, record: reading.record });
      else reply.failed.push({ line, reason: reading.reason });
    }
    const records = usable.map(({ record }) => record);
    const { inserted, known, forgotten, failed } = await store.importObservations(records, {
      now: clock.now(),
      takeForgotten,
    });
    reply.inserted += inserted;
    reply.known += known;
    reply.forgotten += forgotten;
    for (const { index, reason } of failed) reply.failed.push({ line: usable[index]?.line ?? 1, reason });
    await new Promise((resolve) => setImmediate(resolve));
  }
  reply.failed.sort((one, other) => one.line - other.line);
  return reply;
}

function readAndScrub(
  read: () => unknown,
  { isExcluded, now }: { isExcluded(project: string): boolean; now: number },
): TransferReading {
  let value: unknown;
  try {
    value = read();
  } catch (error) {
    return { kind: 'unusable', reason: `it is no JSON: ${messageOf(error).slice(0, 200)}` };
  }
  const reading = readTransferRecord(value, { now });
  if (reading.kind === 'unusable') return reading;
  if (reading.record.project !== null && isExcluded(reading.record.project))
    return { kind: 'unusable', reason: 'its project is excluded by the settings' };
  const record = scrub(reading.record);
  return hasText(record)
    ? { kind: 'record', record }
    : { kind: 'unusable', reason: 'nothing is left of it without private text and secrets' };
}

function parseLine(text: string): unknown {
  if (isDeeperThan(text, MAX_DEPTH)) throw new Error('it is nested too deep');
  try {
    return JSON.parse(text);
  } catch {
    // what JSON.parse says quotes the text, which may hold secrets
    throw new Error('it cannot be parsed');
  }
}

/** Uid, project and session stay as they are: they identify. */
function scrub(record: ImportedObservation): ImportedObservation {
  const scrubNext = createTextScrubber();
  const text = (value: string) => scrubNext(value).text;
  const optional = (value: string | null) => (value === null ? null : text(value));
  return {
    ...record,
    type: text(record.type),
    title: optional(record.title),
    subtitle: optional(record.subtitle),
    narrative: optional(record.narrative),
    facts: record.facts.map(text),
    concepts: record.concepts.map(text),
    filesRead: record.filesRead.map(text),
    filesModified: record.filesModified.map(text),
  };
}
