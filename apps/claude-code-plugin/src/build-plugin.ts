import { chmodSync, cpSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { copyPackages } from './copy-packages.js';
import { copyProgram } from './copy-program.js';
import { renderHooks } from './render-hooks.js';
import {
  PLUGIN_FOLDER,
  renderMarketplace,
  renderMcpServers,
  renderPluginManifest,
} from './render-manifests.js';
import { renderScript } from './render-script.js';

export interface BuildPluginOptions {
  /** Root of the workspace with the built apps. */
  workspace: string;
  /** Folder of the marketplace. An existing folder is replaced. */
  folder: string;
  /** Reports parts that the plugin does not contain. */
  log(line: string): void;
}

/**
 * Apps whose programs are part of the plugin. Each is in a folder of its name, because the programs find each other
 * by these names.
 */
const PROGRAMS = ['hooks-cli', 'worker', 'mcp-server'] as const;
const SCRIPTS = ['scripts/run.sh', 'bin/claude-mem'] as const;

/** Builds the marketplace with the plugin, which contains all programs and packages that a host needs. */
export async function buildPlugin({ workspace, folder, log }: BuildPluginOptions): Promise<void> {
  const fresh = `${folder}.new`;
  rmSync(fresh, { recursive: true, force: true });
  const plugin = join(fresh, PLUGIN_FOLDER);
  const { version } = JSON.parse(readFileSync(join(workspace, 'package.json'), 'utf8')) as {
    version: string;
  };
  const own = join(workspace, 'apps', 'claude-code-plugin', 'plugin');
  cpSync(own, plugin, { recursive: true });
  cpSync(join(workspace, 'LICENSE'), join(plugin, 'LICENSE'));

  writeJson(join(fresh, '.claude-plugin', 'marketplace.json'), renderMarketplace({ version }));
  writeJson(join(plugin, '.claude-plugin', 'plugin.json'), renderPluginManifest({ version }));
  writeJson(join(plugin, 'hooks', 'hooks.json'), renderHooks());
  writeJson(join(plugin, '.mcp.json'), renderMcpServers());
  const hookScript = readFileSync(join(workspace, 'apps', 'hooks-cli', 'src', 'hook.sh'), 'utf8');
  for (const name of SCRIPTS) {
    const text = renderScript(readFileSync(join(own, name), 'utf8'), hookScript);
    writeFileSync(join(plugin, name), text);
    chmodSync(join(plugin, name), 0o755);
  }
  for (const name of PROGRAMS)
    copyProgram({ from: join(workspace, 'apps', name), to: join(plugin, name), version });
  await copyPackages({ workspace, to: join(plugin, 'node_modules'), log });
  replaceFolder(folder, fresh);
}

function writeJson(file: string, value: object): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `${JSON.stringify(value, null, 2)}\n`);
}

function replaceFolder(folder: string, fresh: string): void {
  const old = `${folder}.old`;
  rmSync(old, { recursive: true, force: true });
  try {
    renameSync(folder, old);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  renameSync(fresh, folder);
  rmSync(old, { recursive: true, force: true });
}
