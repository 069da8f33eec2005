import { ClaudeMemError } from '@claude-mem/core';
import { isSilent } from '@claude-mem/worker-protocol/local';
import type { Command, CommandContext } from '../command.js';
import type { Check, Examination, Finding } from '../doctor/check.js';
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
  // compares the environment with what the worker uses
  trustsEnvironment: true,
  options: { json: { type: 'boolean', summary: 'As JSON' } },
  async run(context) {
    const { terminal, options } = context;
    const findings: (Finding & { title: string })[] = [];
    const examination = { ...context, ...(await askWorker(context)) };
    for (const check of CHECKS) {
      const finding = await check.run(examination);
      if (finding === null) continue;
      findings.push({ title: check.title, ...finding });
      if (!options['json']) terminal.print(lineOf(check.title, finding));
    }
    if (options['json']) terminal.print(JSON.stringify(findings, null, 2));
    return findings.some(({ state }) => state === 'fail') ? EXIT.failed : EXIT.done;
  },
};

function lineOf(title: string, finding: Finding): string {
  const below = `\n${' '.repeat(22)}`;
  const line = `${finding.state.padEnd(4)}  ${title.padEnd(14)}  ${finding.detail.replaceAll('\n', below)}`;
  return finding.state === 'ok' ? line : `${line}${below}→ ${finding.fix}`;
}

async function askWorker({ worker }: CommandContext): Promise<Pick<Examination, 'health' | 'isHanging'>> {
  try {
    return { health: await worker.within(3_000).healthDetail(), isHanging: false };
  } catch (error) {
    if (ClaudeMemError.isInstance(error) && error.code === 'worker-client/away')
      return { health: null, isHanging: isSilent(error) };
    throw error;
  }
}
