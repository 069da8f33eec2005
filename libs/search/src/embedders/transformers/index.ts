export {
  createTransformersEmbedder,
  type TransformersEmbedderOptions,
  type TransformersPipeline,
} from './create-transformers-embedder.js';
