import type { Clock, ProjectFinder, Logger } from '@claude-mem/core';
import type { HookEnv } from '@claude-mem/host-adapters';
import type { DataPaths } from '@claude-mem/settings';
import type { FastifyInstance } from 'fastify';
import type { Access } from '../access/create-access.js';
import type { CaptureCounters, Spool, ReadHook } from '@claude-mem/capture';
import type { HealthReport } from '../lifecycle/create-health.js';
import type { LiveSettings } from '../lifecycle/create-live-settings.js';
import type { NeedMemory } from '../open-memory.js';
import type { StreamHub } from '../stream/create-stream-hub.js';
import { captureRoutes } from './routes/capture.js';
import { contextFileRoutes } from './routes/context-files.js';
import { feedRoutes } from './routes/feed.js';
import { healthRoutes } from './routes/health.js';
import { hookRoutes } from './routes/hooks.js';
import { indexRoutes } from './routes/indexes.js';
import { logRoutes } from './routes/logs.js';
import { memoryRoutes } from './routes/memory.js';
import { projectRoutes } from './routes/projects.js';
import { queueRoutes } from './routes/queue.js';
import { recordRoutes } from './routes/records.js';
import { retrievalRoutes } from './routes/retrieval.js';
import { sessionRoutes } from './routes/sessions.js';
import { settingsRoutes } from './routes/settings.js';
import { shutdownRoutes } from './routes/shutdown.js';
import { signInRoutes } from './routes/sign-in.js';
import { streamRoutes } from './routes/stream.js';
import { transferRoutes } from './routes/transfer.js';
import { usageRoutes } from './routes/usage.js';

/** All parts that the routes use. */
export interface RouteServices {
  access: Access;
  /** Address of the viewer; null while the TCP port is closed. */
  viewerUrl: () => string | null;
  memory: NeedMemory;
  failure: () => string | null;
  readHook: ReadHook;
  counters: CaptureCounters;
  findProject: ProjectFinder;
  live: LiveSettings;
  hub: StreamHub;
  health: HealthReport;
  clock: Clock;
  log: Logger;
  paths: DataPaths;
  spool: Spool;
  onQueueChanged: () => void;
  stop: () => void;
  yieldToNewer: (env: HookEnv) => void;
  version: string;
  pid: number;
}

export async function registerRoutes(app: FastifyInstance, services: RouteServices): Promise<void> {
  const plugins: ((app: FastifyInstance, services: RouteServices) => Promise<void>)[] = [
    healthRoutes,
    hookRoutes,
    captureRoutes,
    sessionRoutes,
    recordRoutes,
    projectRoutes,
    feedRoutes,
    memoryRoutes,
    usageRoutes,
    retrievalRoutes,
    contextFileRoutes,
    indexRoutes,
    transferRoutes,
    queueRoutes,
    settingsRoutes,
    logRoutes,
    streamRoutes,
    signInRoutes,
    shutdownRoutes,
  ];
  for (const plugin of plugins) await app.register(plugin, services);
}
