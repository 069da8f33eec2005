import { readTagTokens, type TagFamily, type TagToken } from './tag-tokens.js';

interface Span {
  start: number;
  end: number;
}

const PASSES = 4;

/**
 * Removes private blocks, context blocks of claude-mem and host reminders with their content. A block without an end is
 * removed up to the end of the text, and a single closing tag is removed. The result contains no such tag.
 * @returns `isPrivateOpen` is true when a private block was not closed, so the next text belongs to it. `isCut` is true
 * when any block was not closed.
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
  // Removing a block can join the surrounding text to a new tag.
  for (let pass = 0; pass < PASSES; pass += 1) {
    const tokens = readTagTokens(current);
    if (tokens.length === 0) return { text: current, removed, isPrivateOpen, isCut };
    const { spans, openFamily } = readSpans(tokens, current);
    removed += spans.length;
    current = removeSpans(current, spans);
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
  /** End of a block that contains an open private tag. The private block can extend beyond this block. */
  let privateSince: number | null = null;
  let hasPrivateInside = 0;
  for (const [index, token] of tokens.entries()) {
    if (open !== null) {
      if (token.family === 'private' && open.family !== 'private' && token.isRaw) {
        hasPrivateInside = Math.max(
          0,
          hasPrivateInside + (token.kind === 'close' ? -1 : token.kind === 'open' ? 1 : 0),
        );
      }
      if (token.family !== open.family) continue;
      if (token.kind === 'open') open.depth += 1;
      if (token.kind === 'close') open.depth -= 1;
      if (open.depth > 0) continue;
      spans.push({ start: open.start, end: token.end });
      privateSince = hasPrivateInside > 0 ? token.end : privateSince;
      open = null;
    } else if (isMention(token, text)) {
      spans.push({ start: token.start, end: token.end });
    } else if (token.kind === 'open' || (token.kind === 'self-closing' && isClosedNext(tokens, index))) {
      open = { family: token.family, start: token.start, depth: 1 };
      hasPrivateInside = 0;
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

/** A mention of a host's tag: only the tag is removed. A private tag is never treated as a mention. */
function isMention(token: TagToken, text: string): boolean {
  return token.family !== 'private' && text[token.start - 1] === '`' && text[token.end] === '`';
}

/** In `<private/>x</private>`, the closing tag shows that the first tag is an opening tag. */
function isClosedNext(tokens: readonly TagToken[], index: number): boolean {
  const next = tokens[index + 1];
  return next !== undefined && next.kind === 'close' && next.family === tokens[index]?.family;
}

/** Joins the remaining parts with one space, without a space at an edge where text was removed. */
function removeSpans(text: string, spans: readonly Span[]): string {
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
    .map((part, index) => (index === 0 ? part : adjustSpace(parts[index - 1] ?? '', part)))
    .join('');
  const trimmed = startsRemoved ? joined.trimStart() : joined;
  return endsRemoved ? trimmed.trimEnd() : trimmed;
}

/** Adds or removes the space between a part and the part before it. */
function adjustSpace(before: string, part: string): string {
  if (/\s/.test(before.slice(-1))) return part.replace(/^[ \t]+/, '');
  return before === '' || /\s/.test(part.slice(0, 1)) ? part : ` ${part}`;
}
