import {
  formatFact,
  formatFreshness,
  formatSavedBy,
  type Observation,
  type Summary,
  type UserPrompt,
} from '@claude-mem/core';
import type { TimelineItem } from '@claude-mem/worker-protocol';
import type { Command, CommandContext } from '../command.js';
import { EXIT } from '../exit-codes.js';
import { openOfflineMemory, throughWorkerOr } from '../offline-memory.js';
import { readRecordIds, formatRecordId, type RecordId } from '../read-number.js';
import { formatTime } from '../format-time.js';

export const showCommand: Command = {
  name: 'show',
  summary: 'Show complete records',
  operands: 'ID…',
  operandCount: { min: 1, max: 500 },
  details: ['ID is an observation (12, #12), a summary (S12) or a prompt (P12).'],
  options: { json: { type: 'boolean', summary: 'Print JSON' } },
  async run(context) {
    const { terminal, options, operands } = context;
    const ids = readRecordIds(operands);
    const read = await throughWorkerOr(
      context,
      () => askWorker(context, ids),
      () => askDatabase(context, ids),
    );
    const found = new Map(read.map((record) => [formatRecordId(idOf(record)), record]));
    const records = ids.flatMap((id) => found.get(formatRecordId(id)) ?? []);
    if (options['json']) {
      const items = records.map(({ kind, project, item }) => ({ kind, project, ...item }));
      terminal.print(JSON.stringify(items, null, 2));
    } else if (records.length > 0) terminal.print(records.map(render).join('\n\n'));
    const missing = ids.map(formatRecordId).filter((id) => !found.has(id));
    if (missing.length === 0) return EXIT.done;
    terminal.warn(`Not found: ${missing.join(', ')}`);
    return EXIT.failed;
  },
};

const idOf = ({ kind, item }: TimelineItem): RecordId => ({ kind, id: item.id });
const idsOf = (ids: readonly RecordId[], kind: RecordId['kind']) =>
  ids.filter((one) => one.kind === kind).map(({ id }) => id);

async function askWorker(
  { worker: { client } }: CommandContext,
  ids: readonly RecordId[],
): Promise<TimelineItem[]> {
  const records: TimelineItem[] = [];
  const observations = idsOf(ids, 'observation');
  if (observations.length > 0) {
    const query = { ids: observations.join(','), limit: observations.length };
    const { items } = await client.listObservations({ query });
    const projectOf = createProjectLookup((await client.listProjects()).items);
    for (const item of items) records.push({ kind: 'observation', item, project: projectOf(item) });
  }
  for (const one of ids) {
    if (one.kind === 'observation') continue;
    // a timeline without neighbours contains only the record of the anchor
    const query = { anchor: formatRecordId(one), before: 0, after: 0 };
    records.push(...(await client.timeline({ query })).items);
  }
  return records;
}

async function askDatabase(context: CommandContext, ids: readonly RecordId[]): Promise<TimelineItem[]> {
  await using memory = openOfflineMemory(context);
  if (memory === null) return [];
  const { store } = memory;
  const projectOf = createProjectLookup(await store.listProjects());
  const observations = await store.observationsByIds(idsOf(ids, 'observation'));
  const summaries = await store.summariesByIds(idsOf(ids, 'summary'));
  const prompts = await store.promptsByIds(idsOf(ids, 'prompt'));
  const sessions = await store.sessionsByIds(prompts.map(({ sessionId }) => sessionId));
  const projects = new Map(sessions.map((session) => [session.id, projectOf(session)]));
  return [
    ...observations.map((item) => ({ kind: 'observation' as const, item, project: projectOf(item) })),
    ...summaries.map((item) => ({ kind: 'summary' as const, item, project: projectOf(item) })),
    ...prompts.map((item) => ({
      kind: 'prompt' as const,
      item,
      project: projects.get(item.sessionId) ?? '',
    })),
  ];
}

function createProjectLookup(projects: readonly { id: number; name: string }[]) {
  const names = new Map(projects.map(({ id, name }) => [id, name]));
  return ({ projectId }: { projectId: number }) => names.get(projectId) ?? '';
}

function render(record: TimelineItem): string {
  switch (record.kind) {
    case 'observation':
      return renderObservation(record.item, record.project);
    case 'summary':
      return renderSummary(record.item, record.project);
    case 'prompt':
      return renderPrompt(record.item, record.project);
  }
}

function renderObservation(observation: Observation, project: string): string {
  const { id, type, title, subtitle, narrative, freshness } = observation;
  const marks = [
    ...[formatSavedBy(observation.source)].filter(Boolean),
    ...(observation.pinned ? ['pinned'] : []),
    ...(observation.supersededBy === null ? [] : [`superseded by #${observation.supersededBy}`]),
    ...(freshness ? [formatFreshness(freshness)].filter(Boolean) : []),
  ];
  return [
    `#${id} ${type}: ${title ?? 'untitled'}`,
    ...(subtitle ? [subtitle] : []),
    [formatOrigin(observation, project), ...marks].join(', '),
    ...(narrative ? ['', narrative] : []),
    ...formatList('Facts', observation.facts.map(formatFact)),
    ...formatList('Concepts', observation.concepts),
    ...formatList('Files read', observation.filesRead),
    ...formatList('Files modified', observation.filesModified),
  ].join('\n');
}

function renderSummary(summary: Summary, project: string): string {
  const { id, request, investigated, learned, completed, nextSteps, notes } = summary;
  const texts = { Investigated: investigated, Learned: learned, Completed: completed, Next: nextSteps };
  return [
    `S${id} summary: ${request ?? 'untitled'}`,
    formatOrigin(summary, project),
    ...Object.entries({ ...texts, Notes: notes }).flatMap(([name, text]) =>
      text ? ['', `${name}: ${text}`] : [],
    ),
    ...formatList('Files read', summary.filesRead),
    ...formatList('Files modified', summary.filesEdited),
  ].join('\n');
}

const renderPrompt = (prompt: UserPrompt, project: string) =>
  [`P${prompt.id} prompt`, formatOrigin(prompt, project), '', prompt.promptText].join('\n');

function formatOrigin(
  { createdAtEpoch, sessionId, promptNumber }: Observation | Summary | UserPrompt,
  project: string,
): string {
  const turn = promptNumber > 0 ? [`turn ${promptNumber}`] : [];
  return [formatTime(createdAtEpoch), `project ${project}`, `session ${sessionId}`, ...turn].join(', ');
}

const formatList = (name: string, items: readonly string[]) =>
  items.length > 0 ? ['', `${name}:`, ...items.map((item) => `- ${item}`)] : [];
