import { toSingleLine, toStorableText, truncate } from '@claude-mem/core';

/** Escapes a text as strict XML for an element or an attribute. Keeps line breaks. */
export const escapeMarkup = (text: string) => text.replace(/[&<>"']/g, (sign) => ENTITIES[sign] ?? sign);

/**
 * Escapes a text for an element of a prompt with few tokens. Without `<` and similar characters, the text cannot open
 * or close a tag. `&` is only escaped before a possible entity.
 */
export const escapeText = (text: string) =>
  text.replace(/[<＜﹤]|&(?=#?\w{1,31};)/g, (sign) => ENTITIES[sign] ?? sign);

/** Escapes a short attribute value and reduces it to one line. */
export const escapeAttribute = (text: string) =>
  escapeText(truncate(toSingleLine(toStorableText(text)), 120)).replaceAll('"', '&quot;');

/**
 * Decodes the text of an element. CDATA sections are not decoded; entities elsewhere are decoded once, before a space
 * also without `;`.
 */
export function decodeMarkup(markup: string): string {
  let text = '';
  let at = 0;
  for (const { start, end } of findSections(markup)) {
    text += decodeEntities(markup.slice(at, start)) + markup.slice(start + OPEN.length, end - CLOSE.length);
    at = end;
  }
  return text + decodeEntities(markup.slice(at));
}

/** Finds CDATA sections in order. A section without an end, or with another section start in it, does not count. */
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
    (entity, hex, decimal, name) => {
      if (name) return CHARACTERS[String(name).toLowerCase()] ?? entity;
      const code = hex ? Number.parseInt(hex, 16) : Number(decimal);
      return code <= 0x10ffff ? String.fromCodePoint(code) : entity;
    },
  );
}

const OPEN = '<![CDATA[';
const CLOSE = ']]>';
const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
  '＜': '&#65308;',
  '﹤': '&#65124;',
};
const CHARACTERS: Record<string, string> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'", nbsp: ' ' };
