import type { LexicalHit } from '@claude-mem/core';
import type { StorageReader } from '@claude-mem/storage';
import { CliError } from '../cli-error.js';
import type { Command, CommandContext } from '../command.js';
import { EXIT } from '../exit-codes.js';
import { openOfflineMemory, throughWorkerOr } from '../offline-memory.js';
import { readNumber } from '../read-number.js';
import { textOfTime } from '../text-of-time.js';

export const searchCommand: Command = {
  name: 'search',
  summary: 'Find observations by words',
  operands: 'WORDS…',
  operandCount: { min: 1, max: Infinity },
  options: {
    project: { type: 'string', value: 'PROJECT', summary: 'Only in this project: its name or folder' },
    limit: { type: 'string', value: 'N', summary: 'At most N (20)' },
    json: { type: 'boolean', summary: 'As JSON' },
  },
  async run(context) {
    const { terminal, options } = context;
    const hits = await search(context);
    if (options['json']) terminal.print(JSON.stringify(hits, null, 2));
    else if (hits.length === 0) terminal.print('Nothing found.');
    else for (const { observation } of hits) terminal.print(lineOf(observation));
    return EXIT.done;
  },
};

function lineOf({ id, createdAtEpoch, type, title, subtitle }: LexicalHit['observation']): string {
  const text = [title ?? 'untitled', subtitle].filter(Boolean).join(': ').replace(/\s+/g, ' ');
  return `#${id}  ${textOfTime(createdAtEpoch)}  ${type.padEnd(9)} ${text}`;
}

function search(context: CommandContext): Promise<readonly LexicalHit[]> {
  const { operands, options, worker } = context;
  const query = operands.join(' ').trim();
  if (query === '') throw new CliError('cli/usage', 'Give the words to search for.');
  const limit = readNumber(options['limit'], 'limit', { min: 1, max: 200 }) ?? 20;
  const project = options['project'] === undefined ? undefined : String(options['project']);
  return throughWorkerOr(
    async () => (await worker.client.search({ query: { query, limit, ...(project && { project }) } })).items,
    async () => {
      await using memory = openOfflineMemory(context);
      if (memory === null) return [];
      const projectId = project === undefined ? undefined : await projectIdOf(memory, project);
      return memory.store.searchLexical({ query, limit, ...(projectId && { projectId }) });
    },
  );
}

async function projectIdOf({ store }: StorageReader, nameOrKey: string): Promise<number> {
  const projects = await store.listProjects();
  const found = projects.find(({ key, name }) => key === nameOrKey || name === nameOrKey);
  if (found) return found.id;
  const names = projects.map(({ name }) => name).join(', ');
  throw new CliError('cli/failed', `There is no project "${nameOrKey}". Known: ${names || 'none'}`);
}
