import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, isAbsolute, join } from 'node:path';
import { missingForObserver, observerChain, type ObserverName } from '@claude-mem/settings';
import type { CommandContext } from './command.js';
import { findWorkerMain } from './worker-process/find-worker-main.js';

/** What keeps one observer of the settings from working, as far as can be seen without asking anybody. */
export interface ObserverTrouble {
  observer: ObserverName;
  /** `setting`: a running worker may have it from its own environment. */
  kind: 'setting' | 'program';
  /** Completes a sentence that begins with the observer's name. */
  what: string;
  /** What helps, to be read after "Run: ". */
  fix: string;
}

type Surroundings = Pick<CommandContext, 'loaded' | 'env' | 'home' | 'ownFolder'>;

/** Everything that is missing, in the order in which the observers are asked. */
export function observerTroubles(context: Surroundings): ObserverTrouble[] {
  const { settings } = context.loaded;
  return observerChain(settings).flatMap((observer): ObserverTrouble[] => {
    if (observer === 'claude-code') return claudeCodeTroubles(context);
    const missing = missingForObserver(observer, settings);
    return missing === null ? [] : [{ observer, kind: 'setting', what: missing.what, fix: missing.fix }];
  });
}

const AGENT_SDK = '@anthropic-ai/claude-agent-sdk';

function claudeCodeTroubles(context: Surroundings): ObserverTrouble[] {
  const { dataDir } = context.loaded.paths;
  const configured = context.loaded.settings.claudeCodePath;
  const trouble = { observer: 'claude-code', kind: 'program' } as const;
  const troubles: ObserverTrouble[] = [];
  if (configured !== '' && !isProgram(configured))
    troubles.push({
      ...trouble,
      what: `cannot run ${configured} (CLAUDE_CODE_PATH)`,
      fix: 'claude-mem settings unset CLAUDE_CODE_PATH, or set it to the program',
    });
  else if (configured === '' && !usualPrograms(context).some(isProgram))
    troubles.push({
      ...trouble,
      what: 'finds no Claude Code',
      fix: 'npm install -g @anthropic-ai/claude-code, or set CLAUDE_CODE_PATH to the program',
    });
  if (!hasAgentSdk(context))
    troubles.push({
      ...trouble,
      what: `needs the package ${AGENT_SDK}`,
      fix: `npm install --prefix '${dataDir}' --omit=optional ${AGENT_SDK}`,
    });
  return troubles;
}

/** The places where the worker looks too. */
function usualPrograms({ env, home }: Surroundings): string[] {
  const isWindows = process.platform === 'win32';
  const onPath = (env['PATH'] ?? env['Path'] ?? '').split(delimiter).filter(isAbsolute);
  const own = [join(home, '.local', 'bin'), join(home, '.claude', 'local'), join(home, '.npm-global', 'bin')];
  const common = isWindows
    ? [join(env['APPDATA'] ?? home, 'npm')]
    : ['/opt/homebrew/bin', '/usr/local/bin', '/usr/bin'];
  const inNpm = join('node_modules', '@anthropic-ai', 'claude-code');
  const names = isWindows
    ? ['claude.exe', join(inNpm, 'bin', 'claude.exe'), join(inNpm, 'cli.js')]
    : ['claude'];
  return [...onPath, ...own, ...common].flatMap((folder) => names.map((name) => join(folder, name)));
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, /\.[cm]?js$/.test(file) ? constants.R_OK : constants.X_OK);
    return statSync(file).isFile();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error;
    return false;
  }
}

/** Whether the worker can load it: from beside itself, or from the data directory. */
function hasAgentSdk({ ownFolder, loaded }: Surroundings): boolean {
  const { dataDir } = loaded.paths;
  const main = findWorkerMain(ownFolder, dataDir);
  const beside = main === null ? [] : (createRequire(main).resolve.paths(AGENT_SDK) ?? []);
  return [...beside, join(dataDir, 'node_modules')].some((folder) =>
    existsSync(join(folder, AGENT_SDK, 'package.json')),
  );
}
