export { hasOpenFile } from './has-open-file.js';
export { createLocalWorkerLink, type WorkerLink } from './local-worker-link.js';
export { isSilent } from './is-silent.js';
export { keepPrograms, keptPrograms, keptVersion, type ProgramFolders } from './keep-programs.js';
export { readIfFile } from './read-if-file.js';
export {
  rememberPrograms,
  REQUESTED_DATA_DIR,
  WORKER_PATH_FILE,
  type InstalledPrograms,
} from './remember-programs.js';
export { socketOf } from './socket-of.js';
export { readWorkerState, type WorkerState } from './worker-state.js';
export type { WorkerPlaces } from './worker-places.js';
