export {
  createContextFiles,
  type ContextFileReport,
  type ContextFiles,
  type CreateContextFilesOptions,
} from './create-context-files.js';
export {
  allowContextFiles,
  findContextFiles,
  removeContextFiles,
  type RemovedContextFiles,
} from './remove-context-files.js';
export { CONTEXT_FILE_KINDS, type ContextFileKind } from './ledger.js';
export type { ContextFileStore, ContextFileOptions } from './render-context-files.js';
export type { Git } from './git.js';
