export {
  createVectorSync,
  type VectorSync,
  type VectorSyncOptions,
  type VectorSyncStatus,
} from './create-vector-sync.js';
