/** Matches white space, also escaped in a JSON string. */
const BLANK = '(?:\\s|\\\\{1,4}[nrt])';
const QUOTE = '\\\\{0,8}["\'`]?';
const NAME_LABEL = '(?:name|key|header|field|variable|id|k)';
const VALUE_LABEL = '(?:value|val|v|content|default)';
/** Matches another field between the name and the value: `"slotSetting": false,` or `type="text" `. */
const FIELD = `${QUOTE}\\w{1,40}${QUOTE}\\s{0,8}[:=]\\s{0,8}(?:\\\\{0,8}"[^"\\\\\\n]{0,80}\\\\{0,8}"|'[^'\\\\\\n]{0,80}'|[\\w.-]{1,40})(?:[,;]|${BLANK})${BLANK}{0,80}`;

const adjacent = new RegExp(
  `${QUOTE}[ \\t]{0,8}[,;]?${BLANK}{0,80}${QUOTE}${VALUE_LABEL}${QUOTE}\\s{0,8}[:=]\\s{0,8}`,
  'iy',
);
const separated = new RegExp(
  `${QUOTE}[ \\t]{0,8}(?:[,;]|${BLANK})${BLANK}{0,80}(?:${FIELD}){1,6}?${QUOTE}(?:value|val)${QUOTE}\\s{0,8}[:=]\\s{0,8}`,
  'iy',
);
const labeled = new RegExp(`(?:^|[^\\w])${NAME_LABEL}${QUOTE}\\s{0,8}[:=]\\s{0,8}${QUOTE}$`, 'i');
const before = new RegExp(
  `${QUOTE}(?<!\\w)(?:value|val)${QUOTE}\\s{0,8}[:=]\\s{0,8}(?:(?<slashes>\\\\{0,8})(?<quote>["'])(?<quoted>[^"'\\\\\\n]{1,512})\\k<slashes>\\k<quote>|(?<bare>[^\\s"'\`,;{}[\\]\\\\]{1,512}))(?<rest>(?:[,;]|${BLANK})${BLANK}{0,80}(?:${FIELD}){0,4}?${QUOTE}${NAME_LABEL}${QUOTE}\\s{0,8}[:=]\\s{0,8}${QUOTE})$`,
  'i',
);
const MAX_PAIR_LENGTH = 1_000;

/** Returns the start of the value in a separate field, as in `name: NAME, value: x`, or null. */
export function findValueAfter(text: string, name: { start: number; end: number }): number | null {
  adjacent.lastIndex = name.end;
  if (adjacent.test(text)) return adjacent.lastIndex;
  if (!hasLabel(text, name.start)) return null;
  separated.lastIndex = name.end;
  return separated.test(text) ? separated.lastIndex : null;
}

/**
 * Finds the value in a field before the name, as in `value: x, name: NAME`.
 * @param from end of the part of the text that is already scrubbed
 */
export function findValueBefore(
  text: string,
  name: { start: number; end: number },
  from: number,
): { start: number; end: number; context: 'quoted' | 'bare' } | null {
  if (!hasLabel(text, name.start)) return null;
  const match = before.exec(text.slice(Math.max(from, name.start - MAX_PAIR_LENGTH), name.start));
  if (match === null) return null;
  const { quoted, bare = '', slashes = '', quote = '', rest = '' } = match.groups ?? {};
  const end = name.start - rest.length - slashes.length - quote.length;
  return { start: end - (quoted ?? bare).length, end, context: quoted === undefined ? 'bare' : 'quoted' };
}

function hasLabel(text: string, at: number): boolean {
  let sign = at - 1;
  while (sign > at - 12 && /[\\"'`\s]/.test(text[sign] ?? '')) sign -= 1;
  return /[:=]/.test(text[sign] ?? '') && labeled.test(text.slice(Math.max(0, at - 40), at));
}
