/** A blank, also as it stands in a string of JSON. */
const BLANK = '(?:\\s|\\\\{1,4}[nrt])';
const QUOTE = '\\\\{0,8}["\'`]?';
const NAME_LABEL = '(?:name|key|header|field|variable|id|k)';
const VALUE_LABEL = '(?:value|val|v|content|default)';
/** Another field between the two: `"slotSetting": false,`, `type="text" `. */
const FIELD = `${QUOTE}\\w{1,40}${QUOTE}\\s{0,8}[:=]\\s{0,8}(?:\\\\{0,8}"[^"\\\\\\n]{0,80}\\\\{0,8}"|'[^'\\\\\\n]{0,80}'|[\\w.-]{1,40})(?:[,;]|${BLANK})${BLANK}{0,80}`;

const adjacent = new RegExp(
  `${QUOTE}[ \\t]{0,8}[,;]?${BLANK}{0,80}${QUOTE}${VALUE_LABEL}${QUOTE}\\s{0,8}[:=]\\s{0,8}`,
  'iy',
);
const apart = new RegExp(
  `${QUOTE}[ \\t]{0,8}(?:[,;]|${BLANK})${BLANK}{0,80}(?:${FIELD}){1,6}?${QUOTE}(?:value|val)${QUOTE}\\s{0,8}[:=]\\s{0,8}`,
  'iy',
);
const labelled = new RegExp(`(?:^|[^\\w])${NAME_LABEL}${QUOTE}\\s{0,8}[:=]\\s{0,8}${QUOTE}$`, 'i');
const before = new RegExp(
  `${QUOTE}(?<!\\w)(?:value|val)${QUOTE}\\s{0,8}[:=]\\s{0,8}(?:(?<slashes>\\\\{0,8})(?<quote>["'])(?<quoted>[^"'\\\\\\n]{1,512})\\k<slashes>\\k<quote>|(?<bare>[^\\s"'\`,;{}[\\]\\\\]{1,512}))(?<rest>(?:[,;]|${BLANK})${BLANK}{0,80}(?:${FIELD}){0,4}?${QUOTE}${NAME_LABEL}${QUOTE}\\s{0,8}[:=]\\s{0,8}${QUOTE})$`,
  'i',
);
const LONGEST_PAIR = 1_000;

/** Where the value begins that a field of its own holds: `name: NAME, value: x`; null when there is no such field. */
export function pairedValueAfter(text: string, name: { start: number; end: number }): number | null {
  adjacent.lastIndex = name.end;
  if (adjacent.test(text)) return adjacent.lastIndex;
  if (!isLabelled(text, name.start)) return null;
  apart.lastIndex = name.end;
  return apart.test(text) ? apart.lastIndex : null;
}

/**
 * The value in a field before the name: `value: x, name: NAME`.
 * @param from the text before it has been scrubbed.
 */
export function pairedValueBefore(
  text: string,
  name: { start: number; end: number },
  from: number,
): { start: number; end: number; place: 'quoted' | 'bare' } | null {
  if (!isLabelled(text, name.start)) return null;
  const match = before.exec(text.slice(Math.max(from, name.start - LONGEST_PAIR), name.start));
  if (match === null) return null;
  const { quoted, bare = '', slashes = '', quote = '', rest = '' } = match.groups ?? {};
  const end = name.start - rest.length - slashes.length - quote.length;
  return { start: end - (quoted ?? bare).length, end, place: quoted === undefined ? 'bare' : 'quoted' };
}

function isLabelled(text: string, at: number): boolean {
  let sign = at - 1;
  while (sign > at - 12 && /[\\"'`\s]/.test(text[sign] ?? '')) sign -= 1;
  return /[:=]/.test(text[sign] ?? '') && labelled.test(text.slice(Math.max(0, at - 40), at));
}
