import { isRecord } from '@claude-mem/core';

/** What a vendor's answer says, whatever its form: JSON in any of the usual shapes, HTML, or plain text. */
export interface VendorWords {
  /** For a person. Empty when there is nothing but markup. */
  message: string;
  /** All that may tell what happened: messages, types, codes. */
  all: string;
}

/** Enough of any error; what follows is an echo of the request. In JSON that may come first, so it is read whole. */
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
/** Those that are for a person. */
const MESSAGES = new Set(['message', 'msg', 'error', 'detail']);

export function vendorWords(text: string): VendorWords {
  const whole = text.slice(0, JSON_LIMIT).trim();
  const start = whole.search(/[{[]/);
  const json = start === -1 ? undefined : parseJson(whole.slice(start));
  if (json !== undefined) {
    const found: Found = { messages: [], all: [whole.slice(0, Math.min(start, READ_LIMIT))] };
    collect(json, found, 0);
    return { message: found.messages[0] ?? '', all: found.all.join('\n') };
  }
  const body = whole.slice(0, READ_LIMIT);
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
      // values only: their names would read like words of the vendor
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
