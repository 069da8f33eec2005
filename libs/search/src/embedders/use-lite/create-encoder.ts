import { createAttention } from './attention.js';
import { createTokenizer } from './create-tokenizer.js';
import { openKernels } from './kernels/open-kernels.js';
import { createKnownText } from './known-text.js';
import { loadModel, type Layer, type Norm } from './load-model.js';
import { createQuantizedMatrices } from './quantized-matrices.js';
import type { Weights } from './read-weights.js';

/** Universal Sentence Encoder lite: two transformer layers, the mean of the tokens, one dense layer, length 1. */
export interface Encoder {
  /** Whether it uses WebAssembly. */
  isFast: boolean;
  /**
   * Returns the vector of a text from its first 128 tokens. Returns zeros when the model knows nothing in the text; a
   * query needs at least one complete word.
   */
  embed(text: string, options: { for: 'query' | 'document' }): Float32Array<ArrayBuffer>;
}

export const DIMENSIONS = 512;

export interface EncoderOptions {
  /** Never uses WebAssembly. @default false */
  plain?: boolean;
}

/** Reads all weights once, into 14 MB of memory. */
export function createEncoder(weights: Weights, options: EncoderOptions = {}): Encoder {
  const tokenizer = createTokenizer(weights.vocabulary);
  const known = createKnownText(weights.vocabulary);
  const memory = openKernels(MEMORY_BYTES, options);
  const { kernels, allocate, isFast } = memory;
  const floats = new Float32Array(memory.buffer);
  const matrices = createQuantizedMatrices(memory, { maxRows: MAX_TOKENS, maxInner: 1536 });
  const attend = createAttention(memory, { maxTokens: MAX_TOKENS, maxWidth: 512 });
  const model = loadModel(weights, memory, matrices, MAX_TOKENS);
  const state = allocate(MAX_TOKENS * 512 * 4);
  const normal = allocate(MAX_TOKENS * 512 * 4);
  const wide = allocate(MAX_TOKENS * 1536 * 4);
  const attended = allocate(MAX_TOKENS * 512 * 4);
  const residual = allocate(MAX_TOKENS * 512 * 4);
  const result = allocate(MAX_TOKENS * 512 * 4);

  return {
    isFast,
    embed(text, { for: purpose }) {
      const ids = tokenizer.encode(text, MAX_TOKENS);
      const vector = new Float32Array(DIMENSIONS);
      const isKnown = purpose === 'query' ? known.hasWord(ids) : known.hasLetter(ids);
      if (!isKnown) return vector;
      const tokens = ids.length;
      // Up to three remaining rows cost as much as four.
      const rows = tokens % 4 === 3 ? tokens + 1 : tokens;
      readTokens(ids, rows);
      const [first, last] = model.layers;
      runLayer(first, tokens, rows);
      addFeed(first, rows);
      runLayer(last, tokens, rows);
      // The last product is linear and the same for every token, so it is applied once to the mean of the tokens.
      average(wide, tokens, 1536);
      average(result, tokens, 512);
      addFeed(last, 1);
      matrices.multiply(model.finish, state, result, 1);
      let squares = 0;
      for (let index = 0; index < DIMENSIONS; index += 1) {
        const value = Math.tanh(floats[result / 4 + index]!);
        vector[index] = value;
        squares += value * value;
      }
      const length = Math.sqrt(squares);
      for (let index = 0; index < DIMENSIONS; index += 1) vector[index]! /= length;
      return vector;
    },
  };

  function readTokens(ids: readonly number[], rows: number): void {
    floats.fill(0, state / 4, state / 4 + rows * 256);
    ids.forEach((id, token) => {
      for (let index = 0; index < 256; index += 1) {
        floats[state / 4 + token * 256 + index] =
          2 * model.embeddings[id * 256 + index]! + model.timing[token * 256 + index]!;
      }
    });
  }

  /** Writes the mean of all rows to the first row. */
  function average(at: number, rows: number, width: number): void {
    for (let row = 1; row < rows; row += 1) kernels.add(at, at + row * width * 4, width * 4);
    for (let index = 0; index < width; index += 1) floats[at / 4 + index]! /= rows;
  }

  function runLayer(layer: Layer, tokens: number, rows: number): void {
    const { width } = layer;
    let before = state;
    if (width !== 512) {
      matrices.multiply(model.widen, state, residual, rows);
      before = residual;
    }
    normalize(state, normal, rows, width, layer.attentionNorm);
    matrices.multiply(layer.queriesKeysValues, normal, wide, rows);
    attend(wide, attended, { tokens, rows, width });
    matrices.multiply(layer.attentionOut, attended, result, rows);
    kernels.add(result, before, rows * 512 * 4);
    normalize(result, normal, rows, 512, layer.feedNorm);
    matrices.multiply(layer.feedIn, normal, wide, rows, { least: 0 });
  }

  /** Reads `wide`, which is mostly 0, and `result`, and writes `state`. */
  function addFeed({ feedOut }: Layer, rows: number): void {
    matrices.multiply(feedOut, wide, state, rows, { isSparse: true });
    kernels.add(state, result, rows * 512 * 4);
  }

  function normalize(from: number, to: number, rows: number, width: number, norm: Norm): void {
    for (let row = 0; row < rows; row += 1) {
      const at = row * width * 4;
      kernels.normalize(from + at, to + at, width * 4, norm.scale, norm.bias);
    }
  }
}

const MAX_TOKENS = 128;
const MEMORY_BYTES = 14 * 1024 * 1024;
