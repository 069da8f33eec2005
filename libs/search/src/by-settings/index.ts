export { openEmbedder } from './open-embedder.js';
export { openSearch } from './open-search.js';
export { openVectorIndex } from './open-vector-index.js';
export { isManagedChroma, isMeaningOff, vectorTarget, type SearchSettings } from './search-settings.js';
