import { toStorableText, type Fact, type ObservationDraft, type SummaryDraft } from '@claude-mem/core';
import { escapeMarkup } from './markup.js';

/** Writes records strictly in the format of the observer. `readObserverReply` reads the same records from the text. */
export function writeObserverReply({
  observations = [],
  summary = null,
  skippedSummary = null,
}: {
  observations?: readonly ObservationDraft[];
  summary?: SummaryDraft | null;
  skippedSummary?: string | null;
}): string {
  const blocks = observations.map((observation) =>
    block('observation', [
      element('type', observation.type),
      element('title', observation.title),
      element('subtitle', observation.subtitle),
      element('narrative', observation.narrative),
      writeFacts(observation.facts),
      list('concepts', 'concept', observation.concepts),
      list('files_read', 'file', observation.filesRead),
      list('files_modified', 'file', observation.filesModified),
    ]),
  );
  if (summary)
    blocks.push(
      block('summary', [
        element('request', summary.request),
        element('investigated', summary.investigated),
        element('learned', summary.learned),
        element('completed', summary.completed),
        element('next_steps', summary.nextSteps),
        element('notes', summary.notes),
        list('files_read', 'file', summary.filesRead),
        list('files_edited', 'file', summary.filesEdited),
      ]),
    );
  else if (skippedSummary !== null)
    blocks.push(`<skip_summary reason="${escapeMarkup(toStorableText(skippedSummary))}"/>`);
  return blocks.join('\n');
}

const text = (value: string) => toStorableText(value).replace(/[&<>]/g, escapeMarkup);

const block = (name: string, parts: readonly string[]) => `<${name}>\n${parts.join('')}</${name}>`;

const element = (name: string, value: string | null) =>
  value === null ? '' : `<${name}>${text(value)}</${name}>\n`;

/** A fact of the agent has no attribute. */
const writeFacts = (facts: readonly Fact[]) =>
  facts.length === 0 ? '' : `<facts>${facts.map(writeFact).join('')}</facts>\n`;

const writeFact = (fact: Fact) =>
  `<fact${fact.origin === null || fact.origin === 'agent' ? '' : ` origin="${fact.origin}"`}>${text(fact.text)}</fact>`;

const list = (name: string, item: string, values: readonly string[]) =>
  values.length === 0
    ? ''
    : `<${name}>${values.map((value) => `<${item}>${text(value)}</${item}>`).join('')}</${name}>\n`;
