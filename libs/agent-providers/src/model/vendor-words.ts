import { isRecord } from '@claude-mem/core';

/** What a vendor's answer says, whatever its form: JSON in any of the usual shapes, HTML, or plain text. */
export interface VendorWords {
  /** For a person. Empty when there is nothing but markup. */
  message: string;
  /** All that may tell what happened: messages, types, codes. */
  all: string;
}

/** Enough of any error; what follows is an echo of the request. */
const READ_LIMIT = 20_000;
const TELLING = new Set([
  'message',
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

export function vendorWords(text: string): VendorWords {
  const body = text.slice(0, READ_LIMIT).trim();
  const start = body.search(/[{[]/);
  const json = start === -1 ? undefined : parseJson(body.slice(start));
  if (json !== undefined) {
    const found: Found = { messages: [], all: [body.slice(0, start)] };
    collect(json, found, 0);
    return { message: found.messages[0] ?? '', all: found.all.join('\n') };
  }
  const plain = /<[a-z!][^>]*>/i.test(body) ? titleOf(body) : body;
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
      if (typeof part === 'string' && (name === 'message' || name === 'error' || name === 'detail'))
        found.messages.push(part);
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

const titleOf = (html: string) => /<title[^>]*>([^<]*)</i.exec(html)?.[1]?.trim() ?? '';
