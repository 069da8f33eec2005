import type { Fact } from '@claude-mem/core';
import type { Claim } from './claims.js';
import { filesIn, hasNumber, termsIn } from './names-in.js';
import { LEAD_IN } from './text/lexicon.js';
import type { Turn } from './turn.js';
import { isUnprovable, withoutAgent } from './unprovable.js';

/** Matches headings that only announce a list. */
const GENERIC =
  /^(?:(?:the |a |all |key |main |other |your |my )?(?:summary|changes?|updates?|fix(?:es)?|what|here|overview|details?|files?|result|features?|implementation|benefits|notes?|steps?|key points|flow|improvements?|problem|solution|testing|verification|how it works|done|completed)\b.{0,40}|主な.*|変更.*|まとめ|变更.*|修改.*|总结.*|изменения.*|итог.*|zusammenfassung.*|änderungen.*|résumé.*|cambios.*)$/i;
const EXAMPLE =
  /^(?:for example|e\.g\.|example|something like|say\b|zum beispiel|par exemple|por ejemplo|например|例)/i;
const NOW = /\bnow\b/i;
const BINDS = /\b(?:only|both|either|must)\b/i;
const OPEN_END = /\b(?:if|when|be)$/i;
/** Returns true when a lead-in introduces the behavior after the change, or all conditions of the change. */
const introducesResult = (lead: string): boolean =>
  NOW.test(lead) || (OPEN_END.test(lead) && BINDS.test(lead));
const SHORT = 110;
const LENGTH = 310;

interface Group {
  label: string | null;
  texts: string[];
  worth: number;
  order: number;
  isExternal: boolean;
}

/** Returns the list items of the closing message as facts. Related short items are combined. */
export function claimFacts({ claims, evidence }: Turn, limit: number): Fact[] {
  const groups: Group[] = [];
  let parent: string | null = null;
  for (const claim of claims) {
    if (claim.form === 'sentence' || (claim.role !== 'change' && claim.role !== 'finding')) continue;
    const label = findLabel(claim);
    const own = label === null || isUnprovable(label, evidence) ? null : label;
    // Code needs its lead-in. Examples do not describe the change. Next to lists, code adds only common words.
    if (claim.form === 'code' && (own === null || EXAMPLE.test(own) || groups.length > 1)) continue;
    const last = groups.at(-1);
    const key = claim.under.join('\n');
    const { isExternal, order } = claim;
    const text = withoutAgent(claim.text);
    const isSame =
      last !== undefined &&
      last.isExternal === isExternal &&
      key === parent &&
      claim.form === 'item' &&
      text.length <= SHORT;
    if (
      isSame &&
      last.texts.join('; ').length + text.length < LENGTH - (own?.length ?? 0) &&
      last.texts.at(-1)!.length <= SHORT
    ) {
      last.texts.push(text);
      const worth = Math.max(last.worth, getWorth(claim));
      last.worth = worth === 0 ? 0 : worth + 0.3;
    } else {
      groups.push({ label: own, texts: [text], worth: getWorth(claim), order, isExternal });
    }
    parent = key;
  }
  return groups
    .filter(({ worth }) => worth > 0)
    .sort((a, b) => b.worth - a.worth || a.order - b.order)
    .slice(0, limit)
    .sort((a, b) => a.order - b.order)
    .map(({ label, texts, isExternal }) => ({
      text:
        (label === null || texts[0]!.includes(label) ? '' : `${label}: `) +
        texts.map((text) => text.replace(/[.;。]$/, '')).join('; '),
      origin: isExternal ? 'external' : 'agent',
    }));
}

function getWorth({ text, isSupported, isLimit, isCause, isOnChange, role, form, under }: Claim): number {
  if (form === 'row' && /\b(?:pass(?:ed)?|ok|done|yes)\b/i.test(text)) return 0;
  const named = termsIn(text).length > 0 || filesIn(text).length > 0;
  const lead = under.at(-1) ?? '';
  const isResult = introducesResult(lead);
  const labelled = isResult || (role === 'change' && lead !== '' && !GENERIC.test(lead));
  if (!named && !hasNumber(text) && !isLimit && !labelled) return 0;
  if (!isSupported && role === 'finding' && !isLimit && !hasNumber(text) && form !== 'code' && !isResult)
    return 0;
  return (
    (named ? 2 : 0) +
    (labelled ? 1 : 0) +
    (isOnChange ? 1 : 0) +
    (isSupported ? 2 : 0) +
    (hasNumber(text) ? 1 : 0) +
    (isLimit ? 1 : 0) +
    (isCause ? 1 : 0) +
    (form === 'usage' ? 1 : 0)
  );
}

/** Returns the file of an item, or a heading that is more specific than "Changes". */
function findLabel({ under, form, text }: Claim): string | null {
  if (form === 'usage') return 'Use';
  const heading = under.at(-1);
  if (heading === undefined) return null;
  const [file, ...others] = form === 'code' ? [] : filesIn(heading);
  if (others.length > 0) return null;
  if (file !== undefined) return text.includes(file) ? null : `\`${file}\``;
  return GENERIC.test(heading) ||
    LEAD_IN.test(heading) ||
    heading.length > (form === 'code' || introducesResult(heading) ? 160 : 70)
    ? null
    : heading.replace(/\s*\(.*\)$/, '');
}
