export { claudePayloads, type ClaudePayloads, type ToolCall } from './claude-payloads.js';
export { bySize, isFullRun } from './full-run.js';
export {
  dumpCanonical,
  inspectDatabase,
  peekDatabase,
  type DatabasePeek,
  type Row,
} from './peek-database.js';
export { waitFor, type WaitOptions } from './poll.js';
export { isProcessAlive } from '@claude-mem/core/is-process-alive';
export { descendantsOf, processesOf, type ProcessInfo } from './process-census.js';
export {
  runHook,
  runProgram,
  type HookRun,
  type RunHookOptions,
  type RunProgramOptions,
} from './run-hook.js';
export {
  readHealth,
  runningWorkerPid,
  startWorker,
  stopWorker,
  type StartWorkerOptions,
  type WorkerHealth,
  type WorkerProcess,
} from './start-worker.js';
export { createTempHome, type Environment, type TempHome, type TempHomeOptions } from './temp-home.js';
export { visitViewer } from './visit-viewer.js';
export { spooledFiles, waitUntilDrained } from './wait-until-drained.js';
export {
  requestWorker,
  socketOf,
  type RequestOptions,
  type WorkerAddress,
  type WorkerAnswer,
} from './worker-request.js';
export { sharedFolder, workspacePaths } from './workspace-paths.js';
export { writeSettings } from './write-settings.js';
