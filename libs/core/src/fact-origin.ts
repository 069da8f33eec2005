import type { Fact, FactOrigin } from './observation.js';

const LABELS: Partial<Record<FactOrigin, string>> = {
  user: 'User',
  agreed: 'Agreed',
  agent: 'Agent',
  rejected: 'Rejected',
  external: 'External',
};

const BOUNDARY = String.raw`\n\r\u2028\u2029;\u00b7`;
/** A label where an item of a list can begin: at the start of a text or line, or after a character that joins items. */
const WRITTEN_LABEL = new RegExp(
  String.raw`(^|[${BOUNDARY}])(?:[^\p{L}\p{N}${BOUNDARY}]*(?:${Object.values(LABELS).join('|')})[^\p{L}\p{N}${BOUNDARY}:]*:(?!:))+`,
  'giu',
);
/** Characters that are removed or not visible where a text is shown. */
// eslint-disable-next-line no-control-regex -- escape sequences are removed here
const HIDDEN = /\u001b\[[0-9;?]*[A-Za-z]|(?![\t\n\r])[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]/gu;

/** The label of an origin, such as `User`. Returns '' for `evidence` and for an unknown origin. */
export function formatFactOrigin(origin: FactOrigin | null): string {
  return (origin && LABELS[origin]) ?? '';
}

/** Formats a fact with the label of its origin, such as `User: Deploy on Fridays only`. */
export function formatFact({ text, origin }: Fact): string {
  const label = formatFactOrigin(origin);
  return `${label === '' ? '' : `${label}: `}${removeOriginLabels(text)}`;
}

/** S06: replaces origin labels in a stored text with `…`. A forged label would be read as a label of claude-mem. */
export function removeOriginLabels(text: string): string {
  const plain = text.normalize('NFKC').replace(HIDDEN, '');
  const clean = plain.replace(
    WRITTEN_LABEL,
    (_, before: string) => `${before}${/[;·]/.test(before) ? ' ' : ''}…`,
  );
  return clean === plain ? text : clean;
}
