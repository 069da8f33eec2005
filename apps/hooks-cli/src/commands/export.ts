import { noSuchProject, projectNamed } from '@claude-mem/core';
import type { StorageReader } from '@claude-mem/storage';
import { toTransferRecord, type TransferRecord } from '@claude-mem/worker-protocol';
import { requestedProject } from '../requested-project.js';
import { CliError } from '../cli-error.js';
import type { Command, CommandContext } from '../command.js';
import { EXIT } from '../exit-codes.js';
import { openOfflineMemory } from '../offline-memory.js';
import { requireJsonLines } from './import.js';

const PAGE = 500;

export const exportCommand: Command = {
  name: 'export',
  summary: 'Print the memory as JSON lines',
  details: [
    'Prints projects, sessions, prompts, summaries and observations, each oldest first. `claude-mem import` restores them on',
    'another machine. Reads the database directly; the worker does not have to run.',
  ],
  options: {
    format: { type: 'string', value: 'FORMAT', summary: 'Only jsonl is supported (default)' },
    project: { type: 'string', value: 'PROJECT', summary: 'Only this project: name or folder' },
  },
  async run(context) {
    requireJsonLines(context.options['format']);
    await using memory = openOfflineMemory(context);
    if (memory === null) return EXIT.done;
    for await (const record of readRecords(memory, await findProjectId(memory, context)))
      await context.terminal.writeAndDrain(`${JSON.stringify(record)}\n`);
    return EXIT.done;
  },
};

async function* readRecords(
  { store }: StorageReader,
  projectId: number | undefined,
): AsyncGenerator<TransferRecord> {
  let cursor: string | null = null;
  do {
    const page: Awaited<ReturnType<typeof store.exportRecords>> = await store.exportRecords({
      cursor,
      limit: PAGE,
      ...(projectId === undefined ? {} : { projectIds: [projectId] }),
    });
    yield* page.records.map(toTransferRecord);
    cursor = page.nextCursor;
  } while (cursor !== null);
}

async function findProjectId({ store }: StorageReader, context: CommandContext): Promise<number | undefined> {
  const requested = requestedProject(context);
  if (requested === undefined) return undefined;
  const projects = await store.listProjects();
  const found = projectNamed(projects, requested);
  if (found) return found.id;
  throw new CliError('cli/failed', noSuchProject(requested, projects));
}
