import { existsSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve, sep } from 'node:path';
import { text } from 'node:stream/consumers';
import { shellQuote } from '@claude-mem/core';
import {
  adapterFor,
  HostAdaptersError,
  type HostAdapter,
  type HostPlace,
  type InstallOptions,
  type InstallResult,
} from '@claude-mem/host-adapters';
import {
  allowContextFiles,
  CONTEXT_FILE_KINDS,
  findContextFiles,
  removeContextFiles,
  type ContextFileKind,
} from '@claude-mem/context-files';
import { expandPath } from '@claude-mem/settings';
import { keepPrograms } from '@claude-mem/worker-protocol/local';
import { CliError } from '../cli-error.js';
import { formatCount } from '../format-count.js';
import type { Command, CommandContext, CommandOption } from '../command.js';
import { EXIT, type ExitCode } from '../exit-codes.js';
import { isHostInstalled, userLocation, SUPPORTED_HOSTS } from '../supported-hosts.js';
import { isInUse, inspectHosts, type HostStatus } from '../inspect-hosts.js';
import { listHookSettings } from '../list-hook-settings.js';
import { createFolder } from '../create-folder.js';
import { listMemoryObstacles } from '../list-memory-obstacles.js';
import { describeOtherPlugin } from '../other-plugin-notices.js';
import { spawnQuiet } from '../spawn-quiet.js';
import { storeNetworkSettings } from '../store-network-settings.js';
import { formatDiff } from '../format-diff.js';
import { findPrograms, type HostPrograms } from '../worker-process/find-programs.js';
import { storeProgramPaths } from '../worker-process/start-and-wait.js';
import { stopAndWait } from '../worker-process/stop-and-wait.js';

const SUPPORTED = SUPPORTED_HOSTS.map(({ name }) => name);
const ALL = 'all';

/** Kinds of context files that each host reads. */
const CONTEXT_FILES: Partial<Record<HostAdapter['name'], readonly ContextFileKind[]>> = {
  'claude-code': ['claude-md', 'claude-md-folder'],
  cursor: ['cursor-rules'],
};

const LOCATION_OPTIONS: Readonly<Record<string, CommandOption>> = {
  host: {
    type: 'string',
    value: 'HOST',
    summary: `Host: ${SUPPORTED.join(', ')}, or ${ALL} for all installed hosts`,
  },
  settings: {
    type: 'string',
    value: 'FILE',
    summary: 'Settings file of the host, if it is not the default file',
  },
  project: { type: 'string', value: 'DIR', summary: 'Only for this project' },
  'dry-run': { type: 'boolean', summary: 'Only show what would change' },
};

export const installCommand: Command = {
  name: 'install',
  summary: 'Add the hooks and the MCP server to the settings of a host',
  // stores the proxy and the certificate authorities of the environment
  trustsEnvironment: true,
  options: { ...LOCATION_OPTIONS, 'hooks-only': { type: 'boolean', summary: 'Without the MCP server' } },
  details: [
    'Adds the entries of claude-mem and changes nothing else in the files of the host. You can run the command again.',
  ],
  async run(context) {
    const { terminal, options } = context;
    const adapters = selectAdapters(context, (adapter) => isHostInstalled(adapter, context));
    requireProjectFolder(context);
    const programs = findPrograms(context);
    const request = installRequest(context, programs);
    if (programs.mcpServer === null && !options['hooks-only'] && adapters.length > 0)
      terminal.warn(
        'Note: the MCP server is missing, so agents get no tools. In a clone: npx nx build @claude-mem/mcp-server, then install again.',
      );
    if (programs.copyFrom && adapters.length > 0 && !options['dry-run'])
      await keepPrograms(context.loaded.paths.dataDir, programs.copyFrom);
    let isAnyNew = false;
    const hookFiles: string[] = [];
    const exit = await forEach(adapters, context, async (adapter) => {
      const installed = await installInto(adapter, request, context);
      if (installed.isNew) isAnyNew = true;
      hookFiles.push(...installed.hookFiles);
    });
    if (!options['dry-run'] && exit === EXIT.done) {
      createFolder(context.loaded.paths.dataDir);
      storeProgramPaths({ ...context, ownFolder: programs.ownFolder });
      if (adapters.length > 0) await storeNetworkSettings(context);
    }
    const { dataDir, installedHooks } = context.loaded.paths;
    // also when the installation failed for another host
    if (hookFiles.length > 0 && existsSync(dataDir)) listHookSettings(installedHooks, { added: hookFiles });
    const obstacles = adapters.length === 0 ? [] : listMemoryObstacles(context);
    for (const { message, fix } of obstacles) terminal.warn(`No events are stored yet. ${message} ${fix}`);
    if (obstacles.length === 0 && isAnyNew) terminal.print('claude-mem records new sessions from now on.');
    if (adapters.length === 0)
      terminal.print(`No host was found. Select one with --host: ${SUPPORTED.join(', ')}`);
    return obstacles.length > 0 && exit === EXIT.done && !options['dry-run'] ? EXIT.failed : exit;
  },
};

export const uninstallCommand: Command = {
  name: 'uninstall',
  summary: 'Remove the hooks and the MCP server from the settings of a host',
  options: {
    ...LOCATION_OPTIONS,
    purge: { type: 'boolean', summary: 'Delete the memory too' },
    yes: { type: 'boolean', short: 'y', summary: 'Do not ask' },
  },
  details: [
    'Also stops the worker if no other host uses it. Keeps the memory unless --purge is set.',
    'Does not change invalid files; processes all others.',
  ],
  async run(context) {
    const { terminal, loaded, options } = context;
    const { dataDir } = loaded.paths;
    const dryRun = options['dry-run'] === true;
    const adapters = selectAdapters(context, () => true);
    if (options['purge']) refuseSharedDataDir(context);
    if (options['purge'] && !options['yes'] && !dryRun) await askForPurge(context);
    const exit = await forEach(adapters, context, async (adapter) => {
      const results = await adapter.uninstall({ ...selectLocation(context, adapter), dryRun });
      const removed = results.filter(({ change }) => change === 'removed').map(({ file }) => file);
      if (!dryRun) listHookSettings(loaded.paths.installedHooks, { removed });
      printUninstalled(context, adapter, results);
      printPlugin(context, adapter);
      const kinds = contextFileKinds(context, adapter);
      if (!dryRun) cleanContextFiles(context, kinds);
      else if (!options['purge']) printContextFiles(context, kinds);
      for (const { problem } of results) if (problem) throw problem;
    });
    if (dryRun && options['purge']) {
      printContextFiles(context, CONTEXT_FILE_KINDS);
      terminal.print(`The memory in ${dataDir} would be deleted.`);
    }
    if (dryRun || exit !== EXIT.done) return exit;
    const users = (await inspectHosts(context)).filter(isInUse);
    if (options['purge']) return purge(context, users);
    if (users.length > 0)
      terminal.print(`The worker continues to run for ${users.map(({ name }) => name).join(', ')}.`);
    else await stopWorker(context);
    terminal.print(`The memory in ${dataDir} is kept.`);
    return EXIT.done;
  },
};

/** Removes the context files of all hosts, because the ledger that lists them is deleted too. */
async function purge(context: CommandContext, users: readonly HostStatus[]): Promise<ExitCode> {
  const { terminal, loaded } = context;
  const { dataDir } = loaded.paths;
  cleanContextFiles(context, CONTEXT_FILE_KINDS);
  await stopWorker(context);
  rmSync(dataDir, { recursive: true, force: true });
  terminal.print(`The memory in ${dataDir} is deleted.`);
  // a program in the bin folder of the data folder was deleted with the folder
  const program = join(context.ownFolder, 'claude-mem.js');
  const isProgramPresent = existsSync(program);
  for (const { name, own, plugin } of users) {
    const files = own.map(({ file }) => file).join(' and ');
    const commands = [
      ...(own.length === 0
        ? []
        : isProgramPresent
          ? [`node ${shellQuote(program)} uninstall --host ${name}`]
          : [`remove the entries of claude-mem from ${files}`]),
      ...(plugin === null ? [] : [uninstallPlugin(plugin)]),
    ];
    terminal.print(`${name} still sends events to a new memory. To stop this: ${commands.join(' && ')}`);
  }
  return EXIT.done;
}

const uninstallPlugin = (plugin: string) => `claude plugin uninstall ${plugin}`;

async function stopWorker(context: CommandContext): Promise<void> {
  if ((await stopAndWait(context)).kind === 'stopped') context.terminal.print('The worker is stopped.');
}

type InstallRequest = Pick<InstallOptions, 'hookScript' | 'mcpServer' | 'dataDir' | 'dryRun'>;

function installRequest(
  { loaded, options, home }: CommandContext,
  { ownFolder, mcpServer }: HostPrograms,
): InstallRequest {
  const hookScript = join(ownFolder, 'hook.sh');
  const script = options['hooks-only'] ? null : mcpServer;
  const { dataDir } = loaded.paths;
  const isDefault = dataDir === expandPath('~/.claude-mem', home);
  return {
    hookScript,
    ...(script !== null && { mcpServer: { node: process.execPath, script } }),
    ...(isDefault ? {} : { dataDir }),
    dryRun: options['dry-run'] === true,
  };
}

/** Returns whether a file changed, and the settings files that contain hooks of claude-mem. */
async function installInto(
  adapter: HostAdapter,
  request: InstallRequest,
  context: CommandContext,
): Promise<{ isNew: boolean; hookFiles: readonly string[] }> {
  const { terminal } = context;
  const location = selectLocation(context, adapter);
  const otherPlugin = adapter.findOtherPlugin?.(location) ?? null;
  if (otherPlugin !== null) {
    const { message, fix } = describeOtherPlugin(adapter.name, otherPlugin);
    terminal.warn(`Note: ${message} ${fix}`);
  }
  const plugin = adapter.findPlugin?.(location) ?? null;
  if (plugin !== null) {
    terminal.print(
      `${adapter.name}: the plugin ${plugin} provides the hooks and the MCP server. Nothing was added.`,
    );
    return { isNew: false, hookFiles: [] };
  }
  const results = await adapter.install({
    ...location,
    ...request,
    ...(await hostVersion(context, adapter)),
  });
  if (request.dryRun) {
    printDryRun(context, results);
    return { isNew: false, hookFiles: [] };
  }
  const { contextFilesLedger: ledgerFile } = context.loaded.paths;
  allowContextFiles({ ledgerFile, kinds: CONTEXT_FILES[adapter.name] ?? [] });
  const written = results.filter(({ change }) => change !== 'absent' && change !== 'removed');
  const isNew = written.some(({ change }) => change !== 'unchanged');
  for (const { file, events, hasMcpServer, change } of written)
    terminal.print(
      `${adapter.name}: ${formatEntries({ events, hasMcpServer })} in ${file}${change === 'unchanged' ? ' already' : ''}.`,
    );
  if (isNew && adapter.nextStep !== undefined) terminal.print(adapter.nextStep);
  const hookFiles = written.filter(({ events }) => events.length > 0).map(({ file }) => file);
  return { isNew, hookFiles };
}

function printUninstalled(
  context: CommandContext,
  { name }: HostAdapter,
  results: readonly InstallResult[],
): void {
  const { terminal, options } = context;
  const readable = results.filter(({ change }) => change !== 'refused');
  if (options['dry-run']) return printDryRun(context, readable);
  const removed = readable.filter(({ change }) => change === 'removed');
  for (const result of removed) {
    const { file, extras } = result;
    const more = extras.length === 0 ? '' : `, with your additions: ${extras.join(', ')}`;
    terminal.print(`${name}: ${formatEntries(result)} removed from ${file}${more}.`);
  }
  if (removed.length > 0 || readable.length < results.length || options['host'] === ALL) return;
  const files = results.map(({ file }) => file).join(' and ');
  terminal.print(`${files}: no entries of claude-mem.`);
}

/** Only the host itself can remove its plugin, so the command is printed. */
function printPlugin(context: CommandContext, adapter: HostAdapter): void {
  const plugin = adapter.findPlugin?.(selectLocation(context, adapter)) ?? null;
  if (plugin !== null)
    context.terminal.print(
      `${adapter.name}: the plugin ${plugin} is kept. To remove it: ${uninstallPlugin(plugin)}`,
    );
}

/** Returns no kinds when the command is limited to one project or file, or when the plugin still needs the files. */
function contextFileKinds({ options, env, home }: CommandContext, adapter: HostAdapter) {
  const isUserInstallation = options['project'] === undefined && options['settings'] === undefined;
  const isUnused = isUserInstallation && !adapter.findPlugin?.(userLocation(adapter, { env, home }));
  return isUnused ? (CONTEXT_FILES[adapter.name] ?? []) : [];
}

function cleanContextFiles({ terminal, loaded }: CommandContext, kinds: readonly ContextFileKind[]): void {
  if (kinds.length === 0) return;
  const { removed, skipped } = removeContextFiles({ ledgerFile: loaded.paths.contextFilesLedger, kinds });
  for (const file of removed) terminal.print(`Removed the text of claude-mem from ${file}.`);
  for (const { path, reason } of skipped) terminal.warn(`Kept the text of claude-mem in ${path}: ${reason}.`);
}

function printContextFiles({ terminal, loaded }: CommandContext, kinds: readonly ContextFileKind[]): void {
  for (const file of findContextFiles({ ledgerFile: loaded.paths.contextFilesLedger, kinds }))
    terminal.print(`The text of claude-mem would be removed from ${file}.`);
}

function formatEntries({ events, hasMcpServer }: Pick<InstallResult, 'events' | 'hasMcpServer'>): string {
  const hooks = events.length === 0 ? [] : [`hooks (${events.join(', ')})`];
  return [...hooks, ...(hasMcpServer ? ['the MCP server'] : [])].join(' and ');
}

function printDryRun({ terminal }: CommandContext, results: readonly InstallResult[]): void {
  for (const { file, before, after } of results) {
    if (before === after) terminal.print(`${file} would not change.`);
    else if (after === null) terminal.print(`${file} would be deleted, because it contains nothing else.`);
    else if (before === null)
      terminal.print(`${file} would be created: ${formatCount(Buffer.byteLength(after), 'byte')}.`);
    else terminal.print(`${file}\n${formatDiff(before, after)}`);
  }
}

/** Continues with the next host when one fails. */
async function forEach(
  adapters: readonly HostAdapter[],
  { terminal }: CommandContext,
  run: (adapter: HostAdapter) => Promise<void>,
): Promise<ExitCode> {
  let exit: ExitCode = EXIT.done;
  for (const adapter of adapters) {
    try {
      await run(adapter);
    } catch (error) {
      if (!(error instanceof HostAdaptersError) || adapters.length === 1) throw error;
      terminal.warn(`${adapter.name}: ${error.message}`);
      exit = EXIT.failed;
    }
  }
  return exit;
}

/** The data directory may be a folder that also contains other files of the user. */
function refuseSharedDataDir({ loaded, home, cwd }: CommandContext): void {
  const { dataDir } = loaded.paths;
  const isInDataDir = (folder: string) => `${resolve(folder)}${sep}`.startsWith(join(dataDir, sep));
  if ([home, cwd].some(isInDataDir))
    throw new CliError(
      'cli/usage',
      `${dataDir} contains your home folder or the current folder. Delete the memory in it manually.`,
    );
}

async function askForPurge({ terminal, loaded }: CommandContext): Promise<void> {
  const question = `Delete the complete memory in ${loaded.paths.dataDir}?`;
  if (!terminal.isInteractive)
    throw new CliError('cli/usage', '--purge needs --yes when stdin is not a terminal.');
  if (!(await terminal.confirm(question))) throw new CliError('cli/failed', 'Nothing was changed.');
}

/** @param isSelected whether `--host all` includes the host */
function selectAdapters(
  { options }: CommandContext,
  isSelected: (adapter: HostAdapter) => boolean,
): readonly HostAdapter[] {
  const host = options['host'];
  if (host === undefined)
    throw new CliError('cli/usage', `Select a host: --host ${[...SUPPORTED, ALL].join(' | ')}`);
  if (host === ALL && options['settings'] !== undefined)
    throw new CliError('cli/usage', '--settings needs --host with one host.');
  if (host === ALL) return SUPPORTED_HOSTS.filter(isSelected);
  const adapter = adapterFor(String(host));
  if (adapter) return [adapter];
  throw new CliError('cli/usage', `The host "${host}" is not supported. Supported: ${SUPPORTED.join(', ')}`);
}

function selectLocation({ options, home, env, cwd }: CommandContext, adapter: HostAdapter): HostPlace {
  const { settings, project } = options;
  if (settings !== undefined && project !== undefined)
    throw new CliError('cli/usage', 'Use either --settings or --project.');
  if (project !== undefined) return { home, projectDir: resolve(cwd, String(project)) };
  if (settings === undefined) return userLocation(adapter, { env, home });
  const file = resolve(cwd, String(settings));
  if (basename(file) !== adapter.configFile)
    throw new CliError('cli/usage', `The settings file of ${adapter.name} is named ${adapter.configFile}.`);
  return { home, configDir: dirname(file) };
}

/** Without this check, the installer would create the folder of a mistyped path. */
function requireProjectFolder({ options, cwd }: CommandContext): void {
  if (options['project'] === undefined) return;
  const folder = resolve(cwd, String(options['project']));
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return;
  throw new CliError('cli/usage', `--project needs an existing folder, but there is no folder ${folder}.`);
}

/** Older versions of Claude Code ignore all hooks when the settings contain an unknown event. */
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
