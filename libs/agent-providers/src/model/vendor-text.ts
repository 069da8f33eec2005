import { isRecord } from '@claude-mem/core';

/** The text of a vendor's answer in any format: JSON in a common structure, HTML, or plain text. */
export interface VendorText {
  /** The message for a user. Empty when the answer contains only markup. */
  message: string;
  /** All text that identifies the failure: messages, types and codes. */
  all: string;
}

/**
 * Enough for every error. Plain text after it repeats the request; JSON may begin with the request, so it is read
 * completely.
 */
const READ_LIMIT = 20_000;
const JSON_LIMIT = 2_000_000;
const TELLING = new Set([
  'message',
  'msg',
  'type',
  'code',
  'status',
  'reason',
  'detail',
  'error',
  'raw',
  'retryDelay',
  'quotaId',
]);
/** Fields with a message for users. */
const MESSAGES = new Set(['message', 'msg', 'error', 'detail']);

export function vendorText(text: string): VendorText {
  const limited = text.slice(0, JSON_LIMIT).trim();
  const start = limited.search(/[{[]/);
  const json = start === -1 ? undefined : parseJson(limited.slice(start));
  if (json !== undefined) {
    const found: Found = { messages: [], all: [limited.slice(0, Math.min(start, READ_LIMIT))] };
    collect(json, found, 0);
    return { message: found.messages[0] ?? '', all: found.all.join('\n') };
  }
  const body = limited.slice(0, READ_LIMIT);
  const plain = /<[a-z!][^<>]*>/i.test(body) ? titleOf(body) : body;
  return { message: plain, all: plain };
}

interface Found {
  messages: string[];
  all: string[];
}

function collect(value: unknown, found: Found, depth: number): void {
  if (depth > 6) return;
  if (Array.isArray(value)) {
    for (const item of value.slice(0, 20)) collect(item, found, depth + 1);
    return;
  }
  if (!isRecord(value)) return;
  for (const [name, part] of Object.entries(value)) {
    if (typeof part === 'object') collect(part, found, depth + 1);
    else if (TELLING.has(name) && (typeof part === 'string' || typeof part === 'number')) {
      if (typeof part === 'string' && MESSAGES.has(name)) found.messages.push(part);
      // Only values: field names would look like text of the vendor.
      found.all.push(name === 'retryDelay' ? name : String(part));
    }
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

const titleOf = (html: string) => /<title[^<>]*>([^<]*)</i.exec(html)?.[1]?.trim() ?? '';
