import type { ContextFilesReply } from '@claude-mem/worker-protocol';
import { CliError } from '../cli-error.js';
import type { CommandContext, CommandOption } from '../command.js';
import { EXIT, type ExitCode } from '../exit-codes.js';
import { needWorker } from '../worker-process/need-worker.js';

/** Options of `context` that are about files. */
export const FILES_OPTIONS: Readonly<Record<string, CommandOption>> = {
  files: { type: 'boolean', summary: 'List what is kept in files of this project instead' },
  remove: { type: 'boolean', summary: 'With --files: take it out of them, and keep it out' },
  again: { type: 'boolean', summary: 'With --files: have again what was taken out' },
};

const PATIENCE_MS = 60_000;

/** `claude-mem context --files`: what is kept where in the project at hand, and whether it is to be. */
export async function showContextFiles(context: CommandContext): Promise<ExitCode> {
  const { options, terminal, worker, cwd, loaded } = context;
  if (options['remove'] && options['again'])
    throw new CliError('cli/usage', 'Give either --remove or --again.');
  await needWorker(context);
  const action = options['remove'] ? 'remove' : options['again'] ? 'restore' : null;
  const client = worker.within(PATIENCE_MS);
  const { root, files } =
    action === null
      ? await client.listContextFiles({ query: { cwd } })
      : await client.changeContextFiles({ body: { cwd, action } });
  if (options['json']) terminal.print(JSON.stringify({ root, files }, null, 2));
  else if (root === null) terminal.print('There is no project here, so nothing is kept in files.');
  else if (files.length === 0) terminal.print(`Nothing of ours is in files of ${root}.`);
  else for (const file of files) terminal.print(lineOf(file));
  const { claudeMd, claudeMdFolders, cursorRules } = loaded.settings;
  if (!options['json'] && files.length === 0 && root !== null && action !== 'remove') {
    const next =
      action === 'restore'
        ? 'What uninstall took out comes back after claude-mem install.'
        : 'Files are written after the next turn of a session, or now with --again.';
    terminal.complain(
      `CLAUDE_MEM_CLAUDE_MD is ${onOff(claudeMd)}, CLAUDE_MEM_CLAUDE_MD_FOLDERS is ${onOff(claudeMdFolders)}, CLAUDE_MEM_CURSOR_RULES is ${cursorRules}. ${next}`,
    );
  }
  return EXIT.done;
}

const onOff = (flag: boolean) => (flag ? 'on' : 'off');

function lineOf({ path, state, records, tokens, reason }: ContextFilesReply['files'][number]): string {
  if (state === 'left') return `${path}  left alone: ${reason ?? 'no reason given'}`;
  if (state === 'away') return `${path}  taken out, stays out (claude-mem context --files --again)`;
  return `${path}  ${records} ${records === 1 ? 'record' : 'records'}, about ${tokens} tokens`;
}
