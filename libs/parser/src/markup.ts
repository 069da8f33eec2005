/** Text as it may stand in an element or an attribute: nothing in it can open or close a tag. Keeps line breaks. */
export function escapeMarkup(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => ENTITY_OF[sign] ?? sign);
}

/** The text of an element: CDATA sections as they are, entities decoded once everywhere else. */
export function decodeMarkup(markup: string): string {
  let text = '';
  let at = 0;
  for (;;) {
    const start = markup.indexOf(CDATA, at);
    if (start === -1) return text + decodeEntities(markup.slice(at));
    const end = markup.indexOf(']]>', start);
    text += decodeEntities(markup.slice(at, start));
    text += markup.slice(start + CDATA.length, end === -1 ? markup.length : end);
    if (end === -1) return text;
    at = end + 3;
  }
}

function decodeEntities(markup: string): string {
  return markup.replace(
    /&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|(lt|gt|amp|quot|apos|nbsp));/gi,
    (whole, hex, decimal, name) => {
      if (name) return SIGN_OF[String(name).toLowerCase()] ?? whole;
      const code = hex ? Number.parseInt(hex, 16) : Number(decimal);
      return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
    },
  );
}

const CDATA = '<![CDATA[';
const ENTITY_OF: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
const SIGN_OF: Record<string, string> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'", nbsp: ' ' };
