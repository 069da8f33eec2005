import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { ObserverName } from '@claude-mem/core';
import { locateClaudeCode } from '@claude-mem/core/locate-claude-code';
import { missingForObserver, observerChain } from '@claude-mem/settings';
import type { CommandContext } from './command.js';
import { findWorkerMain } from './worker-process/find-worker-main.js';

/** A missing setting or program of a configured observer. */
export interface ObserverProblem {
  observer: ObserverName;
  /** A running worker can have a missing `setting` from its own environment. */
  kind: 'setting' | 'program';
  /** Continues a sentence that begins with the name of the observer. */
  reason: string;
  /** Continues a sentence that begins with "Run: ". */
  fix: string;
}

type ObserverContext = Pick<CommandContext, 'loaded' | 'env' | 'home' | 'ownFolder'>;

/** Returns everything that is missing, in the order of the observers. Sends no network requests. */
export function findObserverProblems(context: ObserverContext): ObserverProblem[] {
  const { settings } = context.loaded;
  return observerChain(settings).flatMap((observer): ObserverProblem[] => {
    if (observer === 'claude-code') return findClaudeCodeProblems(context);
    const missing = missingForObserver(observer, settings);
    return missing === null ? [] : [{ observer, kind: 'setting', reason: missing.reason, fix: missing.fix }];
  });
}

const AGENT_SDK = '@anthropic-ai/claude-agent-sdk';

function findClaudeCodeProblems(context: ObserverContext): ObserverProblem[] {
  const { dataDir } = context.loaded.paths;
  const { env, home } = context;
  const configured = context.loaded.settings.claudeCodePath;
  const problem = { observer: 'claude-code', kind: 'program' } as const;
  const problems: ObserverProblem[] = [];
  if (locateClaudeCode({ configured, env, home }) === null)
    problems.push(
      configured === ''
        ? {
            ...problem,
            reason: 'cannot find Claude Code',
            fix: 'npm install -g @anthropic-ai/claude-code, or set CLAUDE_CODE_PATH to the program',
          }
        : {
            ...problem,
            reason: `cannot run ${configured} (CLAUDE_CODE_PATH)`,
            fix: 'claude-mem settings unset CLAUDE_CODE_PATH, or set it to the program',
          },
    );
  if (!hasAgentSdk(context))
    problems.push({
      ...problem,
      reason: `needs the package ${AGENT_SDK}`,
      fix: `npm install --prefix '${dataDir}' --omit=optional ${AGENT_SDK}`,
    });
  return problems;
}

/** Whether the worker can load the package from its own installation or from the data directory. */
function hasAgentSdk({ ownFolder, loaded }: ObserverContext): boolean {
  const { dataDir } = loaded.paths;
  const main = findWorkerMain(ownFolder, dataDir);
  const beside = main === null ? [] : (createRequire(main).resolve.paths(AGENT_SDK) ?? []);
  return [...beside, join(dataDir, 'node_modules')].some((folder) =>
    existsSync(join(folder, AGENT_SDK, 'package.json')),
  );
}
