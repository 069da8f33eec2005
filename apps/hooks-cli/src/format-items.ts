import {
  formatFact,
  formatFreshness,
  formatSavedBy,
  removeSavedBy,
  toSingleLine,
  truncate,
  type Observation,
  type Summary,
  type UserPrompt,
} from '@claude-mem/core';
import type { FoundItem, TimelineItem } from '@claude-mem/worker-protocol';
import { currentProjectName, type ProjectContext } from './requested-project.js';
import { formatTime } from './format-time.js';

/** Maximum length of the text in a line. */
const WIDTH = 200;

/** Returns the width of the project column. 0 when all items are of the requested or the current project. */
export function projectColumnWidth(found: readonly { project: string }[], context: ProjectContext): number {
  const isKnown =
    context.options['project'] !== undefined ||
    found.every(({ project }) => project === currentProjectName(context));
  return isKnown ? 0 : Math.max(...found.map(({ project }) => project.length));
}

/** Formats a search result as one line that begins with the id of the record. */
export function formatFoundItem(found: FoundItem, width: number): string {
  const project = formatProjectColumn(found, width);
  switch (found.kind) {
    case 'observation':
      return formatObservation(found.item, project);
    case 'prompt':
      return formatPrompt(found.item, project);
    case 'session': {
      const { id, createdAtEpoch, title, userPrompt, summary, hits } = found.item;
      const [best] = hits;
      const about =
        title ??
        summary?.request ??
        userPrompt ??
        best?.title ??
        best?.narrative ??
        (best?.facts[0] && formatFact(best.facts[0])) ??
        'untitled';
      const ids = hits.map((hit) => ` #${hit.id}`).join('');
      const text = `${truncate(toSingleLine(about), WIDTH - ids.length)}${ids}`;
      return formatLine(`session ${id}`, createdAtEpoch, found.project, text);
    }
  }
}

export function formatTimelineItem(entry: TimelineItem, width: number): string {
  const project = formatProjectColumn(entry, width);
  switch (entry.kind) {
    case 'observation':
      return formatObservation(entry.item, project);
    case 'prompt':
      return formatPrompt(entry.item, project);
    case 'summary':
      return formatSummary(entry.item, project);
  }
}

const formatProjectColumn = ({ project }: { project: string }, width: number) =>
  width === 0 ? '' : `${project.padEnd(width)}  `;

function formatObservation(
  { id, createdAtEpoch, type, title, subtitle, source, freshness }: Observation,
  project: string,
): string {
  const marks = [formatSavedBy(source), freshness ? formatFreshness(freshness) : ''].filter(
    (one) => one !== '',
  );
  const mark = marks.length === 0 ? '' : `(${marks.join(', ')}) `;
  const text = `${mark}${removeSavedBy([title ?? 'untitled', subtitle].filter(Boolean).join(': '))}`;
  return formatLine(`#${id}`, createdAtEpoch, type, text, project);
}

const formatPrompt = ({ id, createdAtEpoch, promptText }: UserPrompt, project: string) =>
  formatLine(`P${id}`, createdAtEpoch, 'prompt', promptText, project);

function formatSummary(summary: Summary, project: string): string {
  const { id, createdAtEpoch, request, completed, learned } = summary;
  const text = request ?? completed ?? learned ?? 'untitled';
  return formatLine(`S${id}`, createdAtEpoch, 'summary', text, project);
}

function formatLine(id: string, epoch: number, type: string, text: string, project = ''): string {
  return `${id}  ${formatTime(epoch)}  ${type.padEnd(9)} ${project}${truncate(toSingleLine(text), WIDTH)}`;
}
