export { createHashingEmbedder, type HashingEmbedderOptions } from './create-hashing-embedder.js';
export { describeEmbedder } from './describe-embedder.js';
export {
  describeVectorIndex,
  type OpenedVectorIndex,
  type VectorIndexCapabilities,
} from './describe-vector-index.js';
