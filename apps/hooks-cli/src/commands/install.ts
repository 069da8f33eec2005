import { existsSync, rmSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { HOST_NAMES } from '@claude-mem/core';
import { adapterFor, type HostAdapter } from '@claude-mem/host-adapters';
import { expandPath } from '@claude-mem/settings';
import { CliError } from '../cli-error.js';
import type { Command, CommandContext, CommandOption } from '../command.js';
import { EXIT } from '../exit-codes.js';
import { makeFolder } from '../make-folder.js';
import { spawnQuiet } from '../spawn-quiet.js';
import { rememberPrograms } from '../worker-process/start-and-wait.js';
import { stopAndWait } from '../worker-process/stop-and-wait.js';

const SUPPORTED = HOST_NAMES.filter((name) => adapterFor(name));

const WHERE: Readonly<Record<string, CommandOption>> = {
  host: { type: 'string', value: 'HOST', summary: `Which host: ${SUPPORTED.join(', ')}` },
  settings: {
    type: 'string',
    value: 'FILE',
    summary: "The host's settings file, where it is not the usual one",
  },
  project: { type: 'string', value: 'DIR', summary: 'For this project only instead of for all' },
};

export const installCommand: Command = {
  name: 'install',
  summary: "Put the hooks into a host's settings",
  options: WHERE,
  details: [
    "Adds our entries and leaves everything else in the host's file as it is. Doing it again is fine.",
  ],
  async run(context) {
    const { terminal, loaded, home } = context;
    const adapter = wantedAdapter(context);
    const hookScript = join(context.ownFolder, 'hook.sh');
    if (!existsSync(hookScript))
      throw new CliError('cli/failed', `${hookScript} is missing. Install claude-mem again.`);
    const { dataDir } = loaded.paths;
    const isUsual = dataDir === expandPath('~/.claude-mem', home);
    const result = await adapter.install({
      ...wantedPlace(context, adapter),
      hookScript,
      ...(await hostVersion(context, adapter)),
      ...(isUsual ? {} : { dataDir }),
    });
    makeFolder(dataDir);
    rememberPrograms(context);
    terminal.print(
      result.change === 'unchanged'
        ? `The hooks are in ${result.file} already.`
        : `The hooks are in ${result.file}: ${result.events.join(', ')}. Sessions started from now on are remembered.`,
    );
    return EXIT.done;
  },
};

export const uninstallCommand: Command = {
  name: 'uninstall',
  summary: "Take the hooks out of a host's settings",
  options: {
    ...WHERE,
    purge: { type: 'boolean', summary: 'Delete the memory too' },
    yes: { type: 'boolean', short: 'y', summary: 'Do not ask' },
  },
  details: ['Stops the worker too. The memory stays unless --purge is given.'],
  async run(context) {
    const { terminal, loaded, options } = context;
    const { dataDir } = loaded.paths;
    const adapter = wantedAdapter(context);
    if (options['purge'] && !options['yes']) await askForPurge(context);
    const result = await adapter.uninstall(wantedPlace(context, adapter));
    const stop = await stopAndWait(context);
    terminal.print(
      result.change === 'absent'
        ? `There are no hooks of ours in ${result.file}.`
        : `The hooks are out of ${result.file}.`,
    );
    if (stop.kind === 'stopped') terminal.print('The worker is stopped.');
    if (options['purge']) rmSync(dataDir, { recursive: true, force: true });
    terminal.print(
      options['purge'] ? `The memory in ${dataDir} is deleted.` : `The memory stays in ${dataDir}.`,
    );
    return EXIT.done;
  },
};

async function askForPurge({ terminal, loaded }: CommandContext): Promise<void> {
  const question = `Delete everything that is remembered, in ${loaded.paths.dataDir}?`;
  if (!terminal.isInteractive) throw new CliError('cli/usage', 'Deleting the memory needs --yes here.');
  if (!(await terminal.confirm(question))) throw new CliError('cli/failed', 'Nothing was done.');
}

function wantedAdapter({ options }: CommandContext): HostAdapter {
  const host = options['host'];
  if (host === undefined) throw new CliError('cli/usage', `Which host? --host ${SUPPORTED.join(' | ')}`);
  const adapter = adapterFor(String(host));
  if (adapter) return adapter;
  throw new CliError('cli/usage', `The host "${host}" is not supported. Supported: ${SUPPORTED.join(', ')}`);
}

function wantedPlace({ options, home, env, cwd }: CommandContext, { name, configFile }: HostAdapter) {
  const { settings, project } = options;
  if (settings !== undefined && project !== undefined)
    throw new CliError('cli/usage', 'Give either --settings or --project.');
  if (project !== undefined) return { home, projectDir: resolve(cwd, String(project)) };
  const moved = name === 'claude-code' ? env['CLAUDE_CONFIG_DIR'] : undefined;
  if (settings === undefined) return { home, ...(moved && { configDir: moved }) };
  const file = resolve(cwd, String(settings));
  if (basename(file) !== configFile)
    throw new CliError('cli/usage', `The settings file of ${name} is named ${configFile}.`);
  return { home, configDir: dirname(file) };
}

/** Older versions of Claude Code drop all hooks for the sake of an event they do not know. */
async function hostVersion(
  { env }: CommandContext,
  { name }: HostAdapter,
): Promise<{ hostVersion?: string }> {
  if (name !== 'claude-code') return {};
  const program = env['CLAUDE_CODE_PATH'] || 'claude';
  const child = spawnQuiet(program, ['--version'], {
    env,
    stdio: ['ignore', 'pipe', 'ignore'],
    timeout: 5_000,
  });
  const ended = new Promise<void>((resolve) => child.once('close', resolve).once('error', () => resolve()));
  const [answer] = await Promise.all([child.stdout ? text(child.stdout) : '', ended]);
  return answer === '' ? {} : { hostVersion: answer };
}
