import { fail, ok, warn, type Check } from './check.js';
import { actionFor, healthProblems } from './health-problems.js';

/** Codes of problems that other checks report. */
const REPORTED_ELSEWHERE: ReadonlySet<string> = new Set([
  'budget-used-up',
  'database-kept-aside',
  'observer-held-back',
  'port-taken',
  'queue-parked',
  'search-by-meaning',
  'spool-rejected',
  'words-index',
]);

export const workerCheck: Check = {
  title: 'worker',
  run({ health, isHanging, loaded }) {
    if (isHanging) return warn('does not answer', 'Run: claude-mem restart');
    if (health === null) return warn('not running', 'Run: claude-mem start (or the next session starts it).');
    if (!health.ready && !loaded.isFileUsable)
      return fail(
        'running but not ready: settings.json cannot be used',
        `Repair ${loaded.paths.settingsFile} or move it to another folder.`,
      );
    if (!health.ready)
      return fail(`running but not ready: ${health.reason ?? 'no reason reported'}`, 'Run: claude-mem logs');
    const problems = healthProblems(health).filter(({ code }) => !REPORTED_ELSEWHERE.has(code));
    if (problems.length > 0) {
      const createResult = problems.some(({ severity }) => severity === 'error') ? fail : warn;
      const actions = new Set(problems.map(({ action }) => action));
      return createResult(
        problems.map(({ message }) => message).join(' '),
        [...actions].join('. ').replaceAll('.. ', '. '),
      );
    }
    const where = health.tcp.isListening ? `port ${health.tcp.port}` : 'its socket only';
    return ok(`ready, process ${health.pid}, on ${where}`);
  },
};

export const versionCheck: Check = {
  title: 'version',
  run({ health, version }) {
    if (health === null || health.version === version) return ok(version);
    return warn(`the worker is ${health.version}, this command ${version}`, 'Run: claude-mem restart');
  },
};

export const portCheck: Check = {
  title: 'port',
  run({ health, loaded }) {
    if (health === null || health.tcp.isListening) return null;
    const { workerPort } = loaded.settings;
    return warn(
      health.tcp.problem ?? `${workerPort} is in use by another program`,
      actionFor('port-taken', health),
    );
  },
};

export const queueCheck: Check = {
  title: 'queue',
  run({ health }) {
    if (!health?.queue) return null;
    const { pending, processing, parked } = health.queue;
    const detail = `${pending} pending, ${processing} processing, ${parked} parked`;
    if (parked === 0) return ok(detail);
    return warn(detail, actionFor('queue-parked', health));
  },
};
