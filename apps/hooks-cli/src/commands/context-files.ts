import type { ContextFilesReply } from '@claude-mem/worker-protocol';
import { CliError } from '../cli-error.js';
import type { CommandContext, CommandOption } from '../command.js';
import { EXIT, type ExitCode } from '../exit-codes.js';
import { ensureWorker } from '../worker-process/ensure-worker.js';

/** Options of `claude-mem context` for context files. */
export const FILES_OPTIONS: Readonly<Record<string, CommandOption>> = {
  files: { type: 'boolean', summary: 'List the context files of this project' },
  remove: {
    type: 'boolean',
    summary: 'With --files: remove the text of claude-mem from the files permanently',
  },
  again: { type: 'boolean', summary: 'With --files: write removed files again' },
};

const REQUEST_TIMEOUT_MS = 60_000;

/** Runs `claude-mem context --files`: lists, removes or restores the context files of the current project. */
export async function showContextFiles(context: CommandContext): Promise<ExitCode> {
  const { options, terminal, worker, cwd, loaded } = context;
  if (options['remove'] && options['again'])
    throw new CliError('cli/usage', 'Use either --remove or --again.');
  await ensureWorker(context);
  const action = options['remove'] ? 'remove' : options['again'] ? 'restore' : null;
  const client = worker.within(REQUEST_TIMEOUT_MS);
  const { root, files } =
    action === null
      ? await client.listContextFiles({ query: { cwd } })
      : await client.changeContextFiles({ body: { cwd, action } });
  if (options['json']) terminal.print(JSON.stringify({ root, files }, null, 2));
  else if (root === null) terminal.print('The current folder has no project, so there are no context files.');
  else if (files.length === 0) terminal.print(`No file of ${root} contains text of claude-mem.`);
  else for (const file of files) terminal.print(formatFile(file));
  const { claudeMd, claudeMdFolders, cursorRules } = loaded.settings;
  if (!options['json'] && files.length === 0 && root !== null && action !== 'remove') {
    const next =
      action === 'restore'
        ? 'Text that uninstall removed is written again after claude-mem install.'
        : 'Files are written after the next turn of a session, or now with --again.';
    terminal.warn(
      `CLAUDE_MEM_CLAUDE_MD is ${onOff(claudeMd)}, CLAUDE_MEM_CLAUDE_MD_FOLDERS is ${onOff(claudeMdFolders)}, CLAUDE_MEM_CURSOR_RULES is ${cursorRules}. ${next}`,
    );
  }
  return EXIT.done;
}

const onOff = (flag: boolean) => (flag ? 'on' : 'off');

function formatFile({ path, state, records, tokens, reason }: ContextFilesReply['files'][number]): string {
  if (state === 'left') return `${path}  skipped: ${reason ?? 'no reason reported'}`;
  if (state === 'away') return `${path}  removed (to write it again: claude-mem context --files --again)`;
  return `${path}  ${records} ${records === 1 ? 'record' : 'records'}, about ${tokens} tokens`;
}
