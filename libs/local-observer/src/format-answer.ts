import type { Claim } from './claims.js';
import { isFormality } from './is-formality.js';
import { filesIn, hasNumber, termsIn } from './names-in.js';
import { withStop } from './create-narrative.js';
import { LEAD_IN } from './text/lexicon.js';
import type { Turn } from './turn.js';
import { withoutAgent } from './unprovable.js';

/** Matches a conclusion or the direct answer to a question. */
const CONCLUSION =
  /^(?:so\b|that(?:'|’)s why|therefore|thus|in (?:short|summary)|conclusion|bottom line|verdict|(?:my )?(?:recommendation|suggestion)|result|purpose|answer|yes\b|no\b|the (?:core |main |real )?(?:fix|issue|problem|answer|difference|result|bug|gap)|also|deshalb|fazit|donc|conclusion|por eso|итак|поэтому|所以|结论|結論|つまり)/i;
const PRAISE =
  /^(?:(?:that(?:'|’)s|that is|this is|it(?:'|’)s|you (?:raise|make|have)) (?:an? )?(?:very |really )?(?:good|great|fair|sharp|excellent|valid|interesting)\b|exactly right|good (?:question|point|catch|idea)|great (?:question|point|idea))[^.!]{0,60}[.!]?$/i;
/** Matches a sentence that would describe an unwritten file as if it existed. */
const REFERS_TO_FILE = /\b(?:the|this) (?:new )?(?:file|document|guide|script)\b/i;
const MAX_PART_LENGTH = 360;
const IN_LIST = 0.5;

interface Part {
  label: string | null;
  texts: string[];
  isListed: boolean;
  /** Equal for the parts of one list. */
  list: string;
  order: number;
  worth: number;
}

/**
 * Returns the answer of a turn without edits: complete paragraphs and lists of the closing message, in their order. A
 * list keeps the line that introduces it.
 * @param length maximum length of the answer in UTF-16 code units
 * @returns null when the message contains no name and no explanation
 */
export function formatAnswer({ claims, evidence }: Turn, length: number): string | null {
  const hasFailedWrites = evidence.failedWrites.length > 0;
  const parts = groupParts(
    claims.filter((claim) => isAnswer(claim) && !(hasFailedWrites && REFERS_TO_FILE.test(claim.text))),
  );
  const chosen: Part[] = [];
  let remaining = length;
  for (const part of parts.filter(({ worth }) => worth > 0).sort((a, b) => b.worth - a.worth)) {
    const size = formatPart(part).length + 1;
    if (size > remaining) continue;
    chosen.push(part);
    remaining -= size;
  }
  if (chosen.length === 0) return null;
  for (const part of chosen) {
    const isLast = !chosen.some((other) => other.list === part.list && other.order > part.order);
    const skipped = parts.filter((other) => other.list === part.list && !chosen.includes(other));
    const count = skipped.reduce((sum, { texts }) => sum + texts.length, 0);
    if (part.isListed && isLast && count > 0) part.texts.push(`and ${count} more`);
  }
  return chosen
    .sort((a, b) => a.order - b.order)
    .map((part, at, all) => formatPart(part.label === all[at - 1]?.label ? { ...part, label: null } : part))
    .join(' ');
}

const isAnswer = ({ role, form, text }: Claim) =>
  (role === 'finding' || role === 'change' || role === 'guess') &&
  form !== 'usage' &&
  !isFormality(text) &&
  !PRAISE.test(text);

function groupParts(claims: readonly Claim[]): Part[] {
  const parts: Part[] = [];
  let place = '';
  for (const claim of claims) {
    const lead = `${claim.under.at(-1) ?? ''}: `;
    const statement = withoutAgent(claim.text);
    const text = statement.startsWith(lead) ? statement.slice(lead.length) : statement;
    const isListed = claim.form !== 'sentence';
    const here = `${isListed} ${claim.under.join('\n')}`;
    const last = parts.at(-1);
    if (last !== undefined && here === place && formatPart(last).length + text.length < MAX_PART_LENGTH) {
      last.texts.push(text);
      last.worth += getWorth(claim, null) / 2;
    } else {
      const label = isListed ? findLabel(claim) : null;
      // A lead-in can be a statement and also the label of its list.
      if (label !== null && label.endsWith(last?.texts.at(-1) ?? label)) last?.texts.pop();
      parts.push({
        label,
        texts: [text],
        isListed,
        list: here,
        order: claim.order,
        worth: getWorth(claim, label),
      });
    }
    place = here;
  }
  const full = parts.filter(({ texts }) => texts.length > 0);
  // An item without names or numbers still belongs to its list.
  for (const part of full)
    if (part.isListed && part.worth === 0 && full.some(({ list, worth }) => list === part.list && worth >= 1))
      part.worth = IN_LIST;
  if (full[0] !== undefined) full[0].worth += 1;
  return full;
}

/** Returns the line that introduces a list, unless the line only announces the list. */
function findLabel({ under }: Claim): string | null {
  const label = under.at(-1);
  return label === undefined || LEAD_IN.test(label) || label.length > 200 ? null : label;
}

function getWorth({ text, form, isSupported, isCause, isEmphasized }: Claim, label: string | null): number {
  const named = termsIn(text).length + filesIn(text).length;
  const concludes = CONCLUSION.test(text) || (label !== null && CONCLUSION.test(label));
  const isOption = label !== null && /\boptions?\b/i.test(label);
  const informs =
    named > 0 || hasNumber(text) || isCause || isEmphasized || concludes || isOption || text.length > 70;
  if (!informs) return 0;
  // Prose contains more information in the same length.
  if (form === 'code') return 1;
  return (
    1 +
    Math.min(named, 2) / 2 +
    (isSupported ? 0.5 : 0) +
    (isCause ? 1 : 0) +
    (isEmphasized ? 1 : 0) +
    (concludes ? 2 : 0)
  );
}

function formatPart({ label, texts, isListed }: Part): string {
  if (!isListed) return texts.map(withStop).join(' ');
  const items = texts.map((text) => text.replace(/[.;。]$/, '')).join('; ');
  return withStop(label === null ? items : `${label.replace(/[:：]$/, '')}: ${items}`);
}
