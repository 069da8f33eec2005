import { formatFactOrigin, removeOriginLabels, type Fact } from '@claude-mem/core';
import { Marked } from './Marked.js';

/** The facts of an observation, each with a label of its origin. */
export function FactList({ facts }: { facts: readonly Fact[] }) {
  return (
    <ul className="stack gap-2 marked measure pre">
      {facts.map(({ text, origin }, index) => {
        const label = formatFactOrigin(origin);
        return (
          <li key={index}>
            {label !== '' && <span className="muted tiny strong">{label}: </span>}
            <Marked text={removeOriginLabels(text)} />
          </li>
        );
      })}
    </ul>
  );
}
