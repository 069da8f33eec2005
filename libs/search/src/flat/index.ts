export { openFlatIndex, type FlatIndexOptions } from './open-flat-index.js';
