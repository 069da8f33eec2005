export type {
  AdapterOptions,
  HookAnswer,
  HookEnv,
  HookReading,
  HostAdapter,
  HostPlace,
  InstallOptions,
  InstallResult,
  McpServer,
  OwnConfig,
  UninstallOptions,
} from './host-adapter.js';
export { absolutePathOf } from './absolute-path-of.js';
export { adapterFor } from './adapter-for.js';
export { CLAUDE_CODE_HOOKS } from './claude-code/events.js';
export { decodeHookBody, type DecodedHookBody } from './decode-hook-body.js';
export { dedupeKeyOf } from './dedupe-key.js';
export { currentFolder } from './project/current-folder.js';
export { hasOwnRepository } from './project/find-repository.js';
export { isFolderMissing } from './project/is-folder-missing.js';
export { readSmallFile } from './project/read-small-file.js';
export {
  resolveProject,
  type EventFolders,
  type ProjectLocation,
  type ProjectPlaces,
} from './project/resolve-project.js';
export { realPathOf } from './real-path.js';
export { HostAdaptersError, type HostAdaptersErrorCode } from './host-adapters-error.js';
