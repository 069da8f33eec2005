import type { JsonValue } from '@claude-mem/core';

/** Minimum length of encoded content. A shorter text can be a hash, a key or a word. */
const MIN_LENGTH = 1_024;

const SIGNATURES: readonly [start: string, name: string][] = [
  ['iVBORw0KGgo', 'image png'],
  ['/9j/', 'image jpeg'],
  ['R0lGOD', 'image gif'],
  ['UklGR', 'image webp'],
  ['JVBERi0', 'document pdf'],
  ['UEsDB', 'archive zip'],
  ['H4sI', 'archive gzip'],
  ['SUQz', 'audio mp3'],
];

/**
 * Returns `[image png, 600 kB]` for a base64 text, or the text with such replacements of its `data:` addresses. Returns
 * null when the text contains neither.
 */
export function describeEncodedText(text: string): string | null {
  if (text.length < MIN_LENGTH) return null;
  const compact = text.slice(0, 4_096);
  if (
    /^[A-Za-z0-9+/\r\n]+={0,2}[\r\n]*$/.test(compact) &&
    /^[A-Za-z0-9+/=\r\n]+$/.test(text) &&
    resemblesBytes(compact)
  ) {
    return describe(findSignature(text), text.length);
  }
  if (!text.includes(';base64,')) return null;
  const replaced = text.replace(
    /data:([a-z]+)\/([\w.+-]{1,80})(?:;[\w=.-]{1,80}){0,4};base64,([A-Za-z0-9+/=_-]{256,})/gi,
    (_match, family: string, type: string, data: string) =>
      describe(typeName(`${family}/${type}`), data.length),
  );
  return replaced === text ? null : replaced.length < MIN_LENGTH * 16 ? replaced : null;
}

/** Describes images and documents in the formats of hosts and models. */
export function describeEncodedObject(record: Readonly<Record<string, JsonValue>>): string | null {
  const holder = [
    record['source'],
    record['file'],
    record['inlineData'],
    record['inline_data'],
    record['resource'],
    record,
  ].find((part): part is Readonly<Record<string, JsonValue>> => isRecord(part) && getData(part) !== null);
  if (holder === undefined) return null;
  const data = getData(holder) ?? '';
  const named = ['media_type', 'mimeType', 'mime_type', 'contentType', 'type']
    .map((key) => holder[key])
    .find((type) => typeof type === 'string' && type.includes('/'));
  const isMedia =
    typeof record['type'] === 'string' &&
    /^(?:image|document|audio|video|input_image|input_audio|media|file)$/.test(record['type']);
  if (named === undefined && !isMedia && data.length < MIN_LENGTH) return null;
  if (data.length < 64) return null;
  const fallback = findSignature(data);
  const name =
    typeof named === 'string'
      ? typeName(named)
      : fallback === 'encoded data' && isMedia
        ? String(record['type'])
        : fallback;
  const path = holder['filePath'] ?? record['filePath'];
  return typeof path === 'string'
    ? `${describe(name, data.length)} ${path.slice(0, 400)}`
    : describe(name, data.length);
}

function isRecord(value: JsonValue | undefined): value is Readonly<Record<string, JsonValue>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function getData(record: Readonly<Record<string, JsonValue>>): string | null {
  for (const key of ['data', 'base64', 'blob', 'bytes']) {
    const data = record[key];
    if (typeof data !== 'string') continue;
    const isEncoded =
      /^(?:data:[\w/.+-]{1,80};base64,)?[A-Za-z0-9+/_\r\n-]{16,4096}/.test(data.slice(0, 4_096)) &&
      !/\s\S{0,40}\s\S/.test(data.slice(0, 400));
    if (isEncoded && data.length >= 64) return data;
  }
  return null;
}

/** Returns false for long text of letters only, such as `aaaa…`. */
function resemblesBytes(text: string): boolean {
  return new Set(text.slice(0, 1_024)).size >= 16 || findSignature(text) !== 'encoded data';
}

const findSignature = (data: string): string =>
  SIGNATURES.find(([start]) => data.startsWith(start))?.[1] ?? 'encoded data';

function typeName(mediaType: string): string {
  const [family = '', type = ''] = mediaType
    .toLowerCase()
    .replace(/[^a-z0-9/+.-]/g, '')
    .split('/');
  const short = type.replace(/^x-|\+xml$/g, '').slice(0, 40);
  if (family === 'application') return short === 'pdf' ? 'document pdf' : `file ${short}`;
  return `${family} ${short}`.trim();
}

const describe = (name: string, encodedLength: number) =>
  `[${name}, ${describeBytes(Math.floor((encodedLength * 3) / 4))}]`;

function describeBytes(bytes: number): string {
  if (bytes < 1_000) return `${bytes} B`;
  return bytes < 1_000_000 ? `${Math.round(bytes / 1_000)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}
