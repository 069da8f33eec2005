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
import { currentProject, type ProjectContext } from './asked-project.js';
import { textOfTime } from './text-of-time.js';

/** How much of a long text a line shows. */
const WIDTH = 200;

/** How wide the column of projects is: 0 where the reader knows them, which is of one that was asked for, or the one they are in. */
export function projectWidth(found: readonly { project: string }[], context: ProjectContext): number {
  const isKnown =
    context.options['project'] !== undefined ||
    found.every(({ project }) => project === currentProject(context));
  return isKnown ? 0 : Math.max(...found.map(({ project }) => project.length));
}

/** One line for a hit, with the id by which it is shown or used as an anchor. */
export function lineOfFound(found: FoundItem, width: number): string {
  const project = columnOfProject(found, width);
  switch (found.kind) {
    case 'observation':
      return lineOfObservation(found.item, project);
    case 'prompt':
      return lineOfPrompt(found.item, project);
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
      return columns(`session ${id}`, createdAtEpoch, found.project, text);
    }
  }
}

export function lineOfMoment(entry: TimelineItem, width: number): string {
  const project = columnOfProject(entry, width);
  switch (entry.kind) {
    case 'observation':
      return lineOfObservation(entry.item, project);
    case 'prompt':
      return lineOfPrompt(entry.item, project);
    case 'summary':
      return lineOfSummary(entry.item, project);
  }
}

const columnOfProject = ({ project }: { project: string }, width: number) =>
  width === 0 ? '' : `${project.padEnd(width)}  `;

function lineOfObservation(
  { id, createdAtEpoch, type, title, subtitle, source, freshness }: Observation,
  project: string,
): string {
  const marks = [formatSavedBy(source), freshness ? formatFreshness(freshness) : ''].filter(
    (one) => one !== '',
  );
  const mark = marks.length === 0 ? '' : `(${marks.join(', ')}) `;
  const text = `${mark}${removeSavedBy([title ?? 'untitled', subtitle].filter(Boolean).join(': '))}`;
  return columns(`#${id}`, createdAtEpoch, type, text, project);
}

const lineOfPrompt = ({ id, createdAtEpoch, promptText }: UserPrompt, project: string) =>
  columns(`P${id}`, createdAtEpoch, 'prompt', promptText, project);

function lineOfSummary(summary: Summary, project: string): string {
  const { id, createdAtEpoch, request, completed, learned } = summary;
  const text = request ?? completed ?? learned ?? 'untitled';
  return columns(`S${id}`, createdAtEpoch, 'summary', text, project);
}

function columns(id: string, epoch: number, type: string, text: string, project = ''): string {
  return `${id}  ${textOfTime(epoch)}  ${type.padEnd(9)} ${project}${truncate(toSingleLine(text), WIDTH)}`;
}
