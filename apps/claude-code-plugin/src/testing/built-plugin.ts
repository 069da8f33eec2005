import { cpSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runProgram, type Environment, type HookRun, type TempHome } from '@claude-mem/testing';
import { PLUGIN_FOLDER } from '../render-manifests.js';
import type { PluginHooks } from '../render-hooks.js';

/** Output of `nx build`. */
export const MARKETPLACE = join(import.meta.dirname, '../../dist');
export const PLUGIN = join(MARKETPLACE, PLUGIN_FOLDER);

export interface PluginCopy {
  folder: string;
  /** Runs the command that `hooks.json` contains for an event, as the host does. */
  fire(event: string, payload: unknown, env?: Environment): Promise<HookRun>;
}

/** Copies the built plugin to a folder outside of the workspace. */
export function copyPlugin(home: TempHome, name = 'plugin'): PluginCopy {
  const folder = join(home.root, name);
  if (!existsSync(folder)) cpSync(PLUGIN, folder, { recursive: true });
  const { hooks } = readJson(join(folder, 'hooks', 'hooks.json')) as PluginHooks;
  return {
    folder,
    fire: (event, payload, env = {}) =>
      runProgram('/bin/sh', ['-c', hooks[event]?.[0]?.hooks[0]?.command ?? 'exit 3'], {
        input: `${JSON.stringify(payload)}\n`,
        cwd: home.project,
        env: { ...home.env, CLAUDE_PROJECT_DIR: home.project, CLAUDE_PLUGIN_ROOT: folder, ...env },
      }),
  };
}

export function readJson(file: string): unknown {
  return JSON.parse(readFileSync(file, 'utf8'));
}
