import type { ObservationConcept, ObservationType } from '@claude-mem/core';
import { isProcedural } from './is-procedural.js';
import type { Turn } from './turn.js';

/** Returns at most three concepts. */
export function selectConcepts({ claims, evidence }: Turn, type: ObservationType): ObservationConcept[] {
  const concepts: ObservationConcept[] = [];
  if (type === 'bugfix') concepts.push('problem-solution');
  else if (type === 'discovery') concepts.push('how-it-works');
  else if (type === 'decision') concepts.push('trade-off');
  else concepts.push('what-changed');
  if (claims.some(({ isLimit, role }) => isLimit && role !== 'question') || evidence.fixes.length > 0)
    concepts.push('gotcha');
  if (
    evidence.choices.some(({ rejected, question }) => rejected.length > 0 && !isProcedural(question)) &&
    type !== 'decision'
  )
    concepts.push('trade-off');
  if (claims.some(({ isCause, role }) => isCause && (role === 'finding' || role === 'change')))
    concepts.push('why-it-exists');
  return [...new Set(concepts)].slice(0, 3);
}
