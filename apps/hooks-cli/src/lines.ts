import { toSingleLine, truncate, type Observation, type Summary, type UserPrompt } from '@claude-mem/core';
import type { FoundItem, TimelineItem } from '@claude-mem/worker-protocol';
import { textOfTime } from './text-of-time.js';

/** How much of a long text a line shows. */
const WIDTH = 200;

/** One line for a hit, with the id by which it is shown or used as an anchor. */
export function lineOfFound(found: FoundItem): string {
  switch (found.kind) {
    case 'observation':
      return lineOfObservation(found.item);
    case 'prompt':
      return lineOfPrompt(found.item);
    case 'session': {
      const { id, createdAtEpoch, title, userPrompt, summary, hits } = found.item;
      const [best] = hits;
      const about =
        title ??
        summary?.request ??
        userPrompt ??
        best?.title ??
        best?.narrative ??
        best?.facts[0] ??
        'untitled';
      const ids = hits.map((hit) => `#${hit.id}`);
      const text = [truncate(toSingleLine(about), WIDTH - ids.join(' ').length), ...ids].join(' ');
      return columns(`session ${id}`, createdAtEpoch, found.project, text);
    }
  }
}

export function lineOfMoment(entry: TimelineItem): string {
  switch (entry.kind) {
    case 'observation':
      return lineOfObservation(entry.item);
    case 'prompt':
      return lineOfPrompt(entry.item);
    case 'summary':
      return lineOfSummary(entry.item);
  }
}

function lineOfObservation({ id, createdAtEpoch, type, title, subtitle }: Observation): string {
  const text = [title ?? 'untitled', subtitle].filter(Boolean).join(': ');
  return columns(`#${id}`, createdAtEpoch, type, text);
}

const lineOfPrompt = ({ id, createdAtEpoch, promptText }: UserPrompt) =>
  columns(`P${id}`, createdAtEpoch, 'prompt', promptText);

function lineOfSummary(summary: Summary): string {
  const { id, createdAtEpoch, request, completed, learned } = summary;
  return columns(`S${id}`, createdAtEpoch, 'summary', request ?? completed ?? learned ?? 'untitled');
}

function columns(id: string, epoch: number, type: string, text: string): string {
  return `${id}  ${textOfTime(epoch)}  ${type.padEnd(9)} ${truncate(toSingleLine(text), WIDTH)}`;
}
