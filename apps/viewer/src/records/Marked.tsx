import { Fragment } from 'react';
import { markTerms } from './mark-terms.js';

/** A stored text with highlighted search terms. Text between backticks is shown as code. */
export function Marked({ text, terms = NONE }: { text: string; terms?: readonly string[] | undefined }) {
  // parts with an odd index were between backticks
  return text.split(CODE).map((part, index) =>
    index % 2 === 1 ? (
      <code key={index}>
        <Words text={part} terms={terms} />
      </code>
    ) : (
      <Fragment key={index}>
        <Words text={part} terms={terms} />
      </Fragment>
    ),
  );
}

function Words({ text, terms }: { text: string; terms: readonly string[] }) {
  if (terms.length === 0) return text;
  return markTerms(text, terms).map(({ text: part, isMarked }, index) =>
    isMarked ? <mark key={index}>{part}</mark> : part,
  );
}

const NONE: readonly string[] = [];
const CODE = /`([^`\n]{1,300})`/;
