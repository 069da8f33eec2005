import { createHash } from 'node:crypto';

const MAX_ID_LENGTH = 200;
const MAX_PATH_LENGTH = 4096;

/** Truncates an id of more than 200 characters and appends a hash of the complete id. */
export function boundedId(value: unknown): string | null {
  const text = typeof value === 'number' && Number.isFinite(value) ? String(value) : value;
  if (typeof text !== 'string') return null;
  // eslint-disable-next-line no-control-regex -- control characters have no place in an id
  const clean = text.replace(/[\u0000-\u001f\u007f]/g, '').trim();
  if (clean === '') return null;
  if (clean.length <= MAX_ID_LENGTH) return clean.toWellFormed();
  const hash = createHash('sha256').update(clean).digest('hex');
  return `${clean.slice(0, MAX_ID_LENGTH - 65)}~${hash}`.toWellFormed();
}

/** Returns a folder or file name unchanged, or null for an invalid one. */
export function boundedPath(value: unknown): string | null {
  if (typeof value !== 'string' || value.trim() === '') return null;
  return value.length > MAX_PATH_LENGTH || value.includes('\0') ? null : value;
}
