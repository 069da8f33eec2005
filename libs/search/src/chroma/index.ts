export { openChromaIndex, type ChromaIndexOptions } from './open-chroma-index.js';
export type { ManagedChromaOptions } from './managed/start-managed-server.js';
