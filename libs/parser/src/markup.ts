import { toSingleLine, toStorableText, truncate } from '@claude-mem/core';

/** Text as strict XML, for an element or an attribute. Keeps line breaks. */
export const escapeMarkup = (text: string) => text.replace(/[&<>"']/g, (sign) => ENTITY_OF[sign] ?? sign);

/**
 * Text as it may stand in an element of a prompt, in as few tokens as possible: without `<`, nor a sign that looks like it,
 * nothing opens or closes a tag, and `&` needs escaping only where it would be read as an entity.
 */
export const escapeText = (text: string) =>
  text.replace(/[<＜﹤]|&(?=#?\w{1,31};)/g, (sign) => ENTITY_OF[sign] ?? sign);

/** A short value of an attribute, on one line. */
export const inAttribute = (text: string) =>
  escapeText(truncate(toSingleLine(toStorableText(text)), 120)).replaceAll('"', '&quot;');

/** The text of an element: CDATA sections as they are, entities decoded once everywhere else, before a space also without `;`. */
export function decodeMarkup(markup: string): string {
  let text = '';
  let at = 0;
  for (const { start, end } of findSections(markup)) {
    text += decodeEntities(markup.slice(at, start)) + markup.slice(start + OPEN.length, end - CLOSE.length);
    at = end;
  }
  return text + decodeEntities(markup.slice(at));
}

/** CDATA sections in order. One without an end is none, and one that another begins in is none either. */
export function findSections(text: string): { start: number; end: number }[] {
  const sections: { start: number; end: number }[] = [];
  let start = text.indexOf(OPEN);
  while (start !== -1) {
    const close = text.indexOf(CLOSE, start);
    if (close === -1) break;
    const last = text.lastIndexOf(OPEN, close);
    sections.push({ start: last, end: close + CLOSE.length });
    start = text.indexOf(OPEN, close);
  }
  return sections;
}

function decodeEntities(markup: string): string {
  return markup.replace(
    /&(?:#x([0-9a-f]{1,6});|#(\d{1,7});|(lt|gt|amp|quot|apos|nbsp)(?:;|(?=[\s<"']|$)))/gi,
    (whole, hex, decimal, name) => {
      if (name) return SIGN_OF[String(name).toLowerCase()] ?? whole;
      const code = hex ? Number.parseInt(hex, 16) : Number(decimal);
      return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
    },
  );
}

const OPEN = '<![CDATA[';
const CLOSE = ']]>';
const ENTITY_OF: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
  '＜': '&#65308;',
  '﹤': '&#65124;',
};
const SIGN_OF: Record<string, string> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'", nbsp: ' ' };
