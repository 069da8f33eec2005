export { createUseLiteEmbedder, type UseLiteEmbedderOptions } from './create-use-lite-embedder.js';
