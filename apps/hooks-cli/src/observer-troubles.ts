import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { ObserverName } from '@claude-mem/core';
import { locateClaudeCode } from '@claude-mem/core/locate-claude-code';
import { missingForObserver, observerChain } from '@claude-mem/settings';
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
  const { env, home } = context;
  const configured = context.loaded.settings.claudeCodePath;
  const trouble = { observer: 'claude-code', kind: 'program' } as const;
  const troubles: ObserverTrouble[] = [];
  if (locateClaudeCode({ configured, env, home }) === null)
    troubles.push(
      configured === ''
        ? {
            ...trouble,
            what: 'cannot find Claude Code',
            fix: 'npm install -g @anthropic-ai/claude-code, or set CLAUDE_CODE_PATH to the program',
          }
        : {
            ...trouble,
            what: `cannot run ${configured} (CLAUDE_CODE_PATH)`,
            fix: 'claude-mem settings unset CLAUDE_CODE_PATH, or set it to the program',
          },
    );
  if (!hasAgentSdk(context))
    troubles.push({
      ...trouble,
      what: `needs the package ${AGENT_SDK}`,
      fix: `npm install --prefix '${dataDir}' --omit=optional ${AGENT_SDK}`,
    });
  return troubles;
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
