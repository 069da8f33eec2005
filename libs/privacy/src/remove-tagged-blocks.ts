import { readTagTokens, type TagFamily, type TagToken } from './tag-tokens.js';

interface Span {
  start: number;
  end: number;
}

const PASSES = 4;

/**
 * Removes private blocks, our own context blocks and host reminders with all they hold. What is opened and never
 * closed is removed to the end of the text; a closing tag alone goes by itself. Afterwards the text holds no such tag.
 * `isPrivateOpen`: a private block was not closed, so what is read next belongs to it. `isCut`: a block of any kind was not.
 */
export function removeTaggedBlocks(text: string): {
  text: string;
  removed: number;
  isPrivateOpen: boolean;
  isCut: boolean;
} {
  let current = text;
  let removed = 0;
  let isPrivateOpen = false;
  let isCut = false;
  // Removing a block can join what stood around it to a new tag.
  for (let pass = 0; pass < PASSES; pass += 1) {
    const tokens = readTagTokens(current);
    if (tokens.length === 0) return { text: current, removed, isPrivateOpen, isCut };
    const { spans, openFamily } = readSpans(tokens, current);
    removed += spans.length;
    current = withoutSpans(current, spans);
    isPrivateOpen ||= openFamily === 'private';
    isCut ||= openFamily !== null;
  }
  const [first] = readTagTokens(current);
  return first === undefined
    ? { text: current, removed, isPrivateOpen, isCut }
    : {
        text: current.slice(0, first.start).trimEnd(),
        removed: removed + 1,
        isPrivateOpen: true,
        isCut: true,
      };
}

function readSpans(
  tokens: readonly TagToken[],
  text: string,
): { spans: Span[]; openFamily: TagFamily | null } {
  const spans: Span[] = [];
  let open: { family: TagFamily; start: number; depth: number } | null = null;
  /** End of a block in which a private tag was opened and not closed: it may reach beyond the block. */
  let privateSince: number | null = null;
  let privateInside = 0;
  for (const [index, token] of tokens.entries()) {
    if (open !== null) {
      if (token.family === 'private' && open.family !== 'private' && token.isRaw) {
        privateInside = Math.max(
          0,
          privateInside + (token.kind === 'close' ? -1 : token.kind === 'open' ? 1 : 0),
        );
      }
      if (token.family !== open.family) continue;
      if (token.kind === 'open') open.depth += 1;
      if (token.kind === 'close') open.depth -= 1;
      if (open.depth > 0) continue;
      spans.push({ start: open.start, end: token.end });
      privateSince = privateInside > 0 ? token.end : privateSince;
      open = null;
    } else if (isMention(token, text)) {
      spans.push({ start: token.start, end: token.end });
    } else if (token.kind === 'open' || (token.kind === 'self-closing' && isClosedNext(tokens, index))) {
      open = { family: token.family, start: token.start, depth: 1 };
      privateInside = 0;
    } else if (token.kind === 'close' && token.family === 'private' && privateSince !== null) {
      spans.push({ start: privateSince, end: token.end });
      privateSince = null;
    } else {
      spans.push({ start: token.start, end: token.end });
    }
  }
  if (open === null) return { spans, openFamily: null };
  return { spans: [...spans, { start: open.start, end: text.length }], openFamily: open.family };
}

/** Somebody writes about a host's tag: only the tag goes. Of a private one nobody can be sure. */
function isMention(token: TagToken, text: string): boolean {
  return token.family !== 'private' && text[token.start - 1] === '`' && text[token.end] === '`';
}

/** `<private/>x</private>`: the closing tag shows that the first was meant as an opening one. */
function isClosedNext(tokens: readonly TagToken[], index: number): boolean {
  const next = tokens[index + 1];
  return next !== undefined && next.kind === 'close' && next.family === tokens[index]?.family;
}

/** What is left is joined by one blank, and has none at an edge where something was removed. */
function withoutSpans(text: string, spans: readonly Span[]): string {
  const ordered = [...spans].sort((a, b) => a.start - b.start);
  const parts: string[] = [];
  let from = 0;
  for (const span of ordered) {
    if (span.end <= from) continue;
    if (span.start > from) parts.push(text.slice(from, span.start));
    from = span.end;
  }
  if (from < text.length) parts.push(text.slice(from));
  const startsRemoved = ordered[0]?.start === 0 || parts[0]?.trim() === '';
  const endsRemoved = from >= text.length || text.slice(from).trim() === '';
  const joined = parts
    .map((part, index) => (index === 0 ? part : joinable(parts[index - 1] ?? '', part)))
    .join('');
  const trimmed = startsRemoved ? joined.trimStart() : joined;
  return endsRemoved ? trimmed.trimEnd() : trimmed;
}

/** The part with the blank that it needs, or without the one too many, after the part before. */
function joinable(before: string, part: string): string {
  if (/\s/.test(before.slice(-1))) return part.replace(/^[ \t]+/, '');
  return before === '' || /\s/.test(part.slice(0, 1)) ? part : ` ${part}`;
}
