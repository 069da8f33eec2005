import { listKeptAside } from '@claude-mem/storage';
import { fail, ok, warn, type Check } from './check.js';

export const workerCheck: Check = {
  title: 'worker',
  run({ health, loaded }) {
    if (health === null) return warn('is away', 'Run: claude-mem start (or let the next session start it).');
    if (!health.ready)
      return fail(
        `lives but is not ready: ${health.reason ?? 'it does not say why'}`,
        'Run: claude-mem logs',
      );
    // the port, what holds the observer or search by meaning back, and damaged databases that are kept, have lines of their own
    const told = [health.tcp.problem, health.observer.problem, health.search?.vectors.problem];
    const kept = listKeptAside(loaded.paths.database);
    const isTold = (notice: string) => told.includes(notice) || kept.some((file) => notice.includes(file));
    const notices = health.notices.filter((notice) => !isTold(notice));
    if (notices.length > 0) return warn(notices.join(' '), 'Run: claude-mem logs --level warn');
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
      health.tcp.problem ?? `${workerPort} is not ours`,
      'Hooks do not need it. For the service: claude-mem settings set CLAUDE_MEM_WORKER_PORT 0, then restart.',
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
    return warn(
      detail,
      'See why: claude-mem queue list --status parked; then: claude-mem queue retry --parked',
    );
  },
};
