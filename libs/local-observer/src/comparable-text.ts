/**
 * Returns the letters and digits of a text without anything between them. A text and its quotation differ in line
 * numbers, entities, escapes, links, tags, marks and invisible characters.
 */
export function toComparableText(text: string): string {
  const readable = text
    .replace(/^[ \t]*\d{1,6}(?:→|\t|[:|] )/gm, '')
    .replace(/\\u([\da-f]{4})/gi, (_, code: string) => characterOf(Number.parseInt(code, 16)))
    .replace(/\\[nrt]/g, ' ')
    .replace(/&#x([\da-f]{1,6});?/gi, (_, code: string) => characterOf(Number.parseInt(code, 16)))
    .replace(/&#(\d{1,7});?/g, (_, code: string) => characterOf(Number(code)))
    .replace(/&[a-z]{2,8};/gi, ' ')
    .replace(/\]\([^)\s]{1,500}(?:\s+"[^"\n]{0,200}")?\)/g, ']')
    .replace(/<\/?[a-z][^<>\n]{0,300}>/gi, '');
  return (
    readable
      .normalize('NFKC')
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu)
      ?.join('') ?? ''
  );
}

const characterOf = (code: number) => (code <= 0x10ffff ? String.fromCodePoint(code) : ' ');
