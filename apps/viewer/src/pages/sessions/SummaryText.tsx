import type { Summary } from '@claude-mem/core';
import { Fact, Facts } from '../../ui/Facts.js';
import { Marked } from '../../records/Marked.js';

const FIELDS = [
  ['request', 'Asked'],
  ['investigated', 'Investigated'],
  ['learned', 'Learned'],
  ['completed', 'Completed'],
  ['nextSteps', 'Next steps'],
  ['notes', 'Notes'],
] as const satisfies readonly (readonly [keyof Summary, string])[];

/** All fields of a summary. */
export function SummaryText({ summary }: { summary: Summary }) {
  return (
    <div className="measure pre">
      <Facts>
        {FIELDS.map(([field, name]) => {
          const text = summary[field] ?? '';
          return (
            text.trim() !== '' && (
              <Fact key={field} name={name}>
                <Marked text={text} />
              </Fact>
            )
          );
        })}
      </Facts>
    </div>
  );
}
