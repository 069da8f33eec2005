import { ClaudeMemError } from '@claude-mem/core';
import { isSilent } from '@claude-mem/worker-protocol/local';
import type { Command, CommandContext } from '../command.js';
import type { Check, CheckContext, CheckResult } from '../doctor/check.js';
import { databaseCheck, dataDirCheck, spoolCheck } from '../doctor/data.js';
import { hooksCheck } from '../doctor/hosts.js';
import { networkCheck } from '../doctor/network.js';
import { observerCheck } from '../doctor/observer.js';
import { curlCheck, driverCheck, nodeCheck } from '../doctor/programs.js';
import { projectsCheck } from '../doctor/projects.js';
import { roundTripCheck } from '../doctor/round-trip.js';
import { settingsCheck } from '../doctor/settings-check.js';
import { vectorsCheck, wordsCheck } from '../doctor/search.js';
import { portCheck, queueCheck, versionCheck, workerCheck } from '../doctor/worker.js';
import { EXIT } from '../exit-codes.js';

const CHECKS: readonly Check[] = [
  nodeCheck,
  driverCheck,
  curlCheck,
  settingsCheck,
  dataDirCheck,
  databaseCheck,
  projectsCheck,
  hooksCheck,
  workerCheck,
  versionCheck,
  portCheck,
  networkCheck,
  observerCheck,
  queueCheck,
  wordsCheck,
  vectorsCheck,
  spoolCheck,
  roundTripCheck,
];

export const doctorCommand: Command = {
  name: 'doctor',
  summary: 'Diagnose problems and suggest fixes',
  // the checks compare the environment with the settings of the worker
  trustsEnvironment: true,
  options: { json: { type: 'boolean', summary: 'Print JSON' } },
  async run(context) {
    const { terminal, options } = context;
    const results: (CheckResult & { title: string })[] = [];
    const checkContext = { ...context, ...(await readHealth(context)) };
    for (const check of CHECKS) {
      const result = await check.run(checkContext);
      if (result === null) continue;
      results.push({ title: check.title, ...result });
      if (!options['json']) terminal.print(formatLine(check.title, result));
    }
    if (options['json']) terminal.print(JSON.stringify(results, null, 2));
    return results.some(({ state }) => state === 'fail') ? EXIT.failed : EXIT.done;
  },
};

function formatLine(title: string, result: CheckResult): string {
  const below = `\n${' '.repeat(22)}`;
  const line = `${result.state.padEnd(4)}  ${title.padEnd(14)}  ${result.detail.replaceAll('\n', below)}`;
  return result.state === 'ok' ? line : `${line}${below}→ ${result.fix}`;
}

async function readHealth({ worker }: CommandContext): Promise<Pick<CheckContext, 'health' | 'isHanging'>> {
  try {
    return { health: await worker.within(3_000).healthDetail(), isHanging: false };
  } catch (error) {
    if (ClaudeMemError.isInstance(error) && error.code === 'worker-client/away')
      return { health: null, isHanging: isSilent(error) };
    throw error;
  }
}
