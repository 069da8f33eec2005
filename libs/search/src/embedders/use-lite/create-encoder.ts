import { createTokenizer } from './create-tokenizer.js';
import { openKernels } from './kernels/open-kernels.js';
import { createKnownText } from './known-text.js';
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

/**
 * Reads all weights once. They are stored as int16 by column (10 MB), which changes a vector by about one part in
 * 10,000.
 */
export function createEncoder(weights: Weights, options: EncoderOptions = {}): Encoder {
  const tokenizer = createTokenizer(weights.vocabulary);
  const known = createKnownText(weights.vocabulary);
  const { buffer, kernels, isFast } = openKernels(MEMORY_BYTES, options);
  const floats = new Float32Array(buffer);
  const integers = new Int16Array(buffer);
  const allocate = createAllocator();

  const embeddings = weights.read('module/Embeddings_en', PIECES * 256);
  const timing = timingSignal(
    weights.read('Encode/TransformerStack/Layer_0/AddTimingSignal/TimingSignal/ExpandDims_1', 128),
  );
  const layers = [loadLayer(weights, LAYERS[0]), loadLayer(weights, LAYERS[1])] as const;
  const widen = loadMatrix(
    weights.read('Encode/Layer_0/TransformerLayer/dense/kernel/ConcatPartitions/concat', 256 * 512),
    weights.read('Encode/Layer_0/TransformerLayer/dense/bias/ConcatPartitions/concat', 512),
    256,
  );
  const finish = loadMatrix(
    weights.read('module/Encoder_en/hidden_layers/tanh_layer_0/weights', 512 * 512),
    weights.read('module/Encoder_en/hidden_layers/tanh_layer_0/bias', 512),
    512,
  );
  const state = allocate(MAX_TOKENS * 512 * 4);
  const normal = allocate(MAX_TOKENS * 512 * 4);
  const wide = allocate(MAX_TOKENS * 1536 * 4);
  const attended = allocate(MAX_TOKENS * 512 * 4);
  const residual = allocate(MAX_TOKENS * 512 * 4);
  const result = allocate(MAX_TOKENS * 512 * 4);
  const rounded = allocate(MAX_TOKENS * 1536 * 2);
  const lists = allocate(MAX_TOKENS * (1536 * 4 + 8));
  const rowScales = allocate(MAX_TOKENS * 4);
  const head = {
    queries: allocate(MAX_TOKENS * 128 * 4),
    keys: allocate(MAX_TOKENS * 128 * 4),
    values: allocate(MAX_TOKENS * 128 * 4),
    shares: allocate(MAX_TOKENS * MAX_TOKENS * 4),
    sums: allocate(MAX_TOKENS * 128 * 4),
  };

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
      const [first, last] = layers;
      runLayer(first, tokens, rows);
      addFeed(first, rows);
      runLayer(last, tokens, rows);
      // The last product is linear and the same for every token, so it is applied once to the mean of the tokens.
      average(wide, tokens, 1536);
      average(result, tokens, 512);
      addFeed(last, 1);
      multiply(finish, state, result, 1);
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
          2 * embeddings[id * 256 + index]! + timing[token * 256 + index]!;
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
      multiply(widen, state, residual, rows);
      before = residual;
    }
    normalize(state, normal, rows, width, layer.attentionNorm);
    multiply(layer.queriesKeysValues, normal, wide, rows);
    attend(tokens, rows, width);
    multiply(layer.attentionOut, attended, result, rows);
    kernels.add(result, before, rows * 512 * 4);
    normalize(result, normal, rows, 512, layer.feedNorm);
    multiply(layer.feedIn, normal, wide, rows, { least: 0 });
  }

  /** Reads `wide`, which is mostly 0, and `result`, and writes `state`. */
  function addFeed({ feedOut }: Layer, rows: number): void {
    multiply(feedOut, wide, state, rows, { isSparse: true });
    kernels.add(state, result, rows * 512 * 4);
  }

  /**
   * Reads the queries, keys and values in `wide` and writes `attended`, head by head, with the same matrix products
   * as the weights.
   */
  function attend(tokens: number, rows: number, width: number): void {
    const size = width / HEADS;
    const columns = roundUp(tokens, 8);
    const fours = roundUp(rows, 4);
    for (let index = 0; index < HEADS; index += 1) {
      gatherHead(index * size, rows, columns, width);
      kernels.multiply(head.queries, head.keys, head.shares, fours, size * 4, columns);
      for (let row = 0; row < rows; row += 1) softmax(head.shares / 4 + row * columns, tokens, columns);
      kernels.multiply(head.shares, head.values, head.sums, fours, columns * 4, size);
      for (let row = 0; row < rows; row += 1) {
        const from = head.sums / 4 + row * size;
        floats.copyWithin(attended / 4 + row * width + index * size, from, from + size);
      }
    }
  }

  /**
   * Queries in rows, scaled; keys in panels of 8 tokens, values in panels of 8 dimensions. The padding of the last
   * panel has weight 0.
   */
  function gatherHead(offset: number, rows: number, columns: number, width: number): void {
    const size = width / HEADS;
    const scale = 1 / Math.sqrt(size);
    const queries = head.queries / 4;
    const keys = head.keys / 4;
    const values = head.values / 4;
    for (let row = 0; row < rows; row += 1) {
      const source = wide / 4 + row * 3 * width + offset;
      for (let index = 0; index < size; index += 1) {
        floats[queries + row * size + index] = floats[source + index]! * scale;
      }
    }
    for (let token = 0; token < columns; token += 1) {
      const source = wide / 4 + token * 3 * width + offset;
      const key = keys + (token - (token % 8)) * size + (token % 8);
      for (let index = 0; index < size; index += 1) {
        floats[key + index * 8] = floats[source + width + index]!;
        floats[values + (index - (index % 8)) * columns + token * 8 + (index % 8)] =
          floats[source + 2 * width + index]!;
      }
    }
  }

  function softmax(start: number, tokens: number, columns: number): void {
    let most = -Infinity;
    for (let index = 0; index < tokens; index += 1) most = Math.max(most, floats[start + index]!);
    let sum = 0;
    for (let index = 0; index < tokens; index += 1) {
      const share = Math.exp(floats[start + index]! - most);
      floats[start + index] = share;
      sum += share;
    }
    for (let index = 0; index < columns; index += 1) {
      floats[start + index] = index < tokens ? floats[start + index]! / sum : 0;
    }
  }

  function normalize(from: number, to: number, rows: number, width: number, norm: Norm): void {
    for (let row = 0; row < rows; row += 1) {
      const at = row * width * 4;
      kernels.normalize(from + at, to + at, width * 4, norm.scale, norm.bias);
    }
  }

  /** Rows of x are rounded to int16 with a scale per row. Four rows at a time cost less, but only lists skip zeros. */
  function multiply(
    matrix: Matrix,
    x: number,
    y: number,
    rows: number,
    { least = -Infinity, isSparse = false } = {},
  ): void {
    const { inner, columns, weights, scales, bias } = matrix;
    const bytes = inner * 2;
    const fours = isSparse ? 0 : rows - (rows % 4);
    for (let row = 0; row < rows; row += 1) {
      const isFour = row < fours;
      const to = rounded + (isFour ? (row - (row % 4)) * bytes + (row % 4) * 4 : row * bytes);
      floats[rowScales / 4 + row] = kernels.round(x + row * inner * 4, to, bytes, isFour ? 16 : 4);
      if (!isFour) kernels.list(to, lists + (row - fours) * (bytes * 2 + 8), bytes);
    }
    if (fours > 0)
      kernels.multiplyFours(rounded, rowScales, weights, scales, bias, y, fours, bytes, columns, least);
    const rest = rows - fours;
    const at = y + fours * columns * 4;
    if (rest > 0)
      kernels.multiplyListed(
        lists,
        rowScales + fours * 4,
        weights,
        scales,
        bias,
        at,
        rest,
        bytes,
        columns,
        least,
      );
  }

  function loadMatrix(source: Float32Array, bias: Float32Array, inner: number): Matrix {
    const columns = source.length / inner;
    const matrix: Matrix = {
      inner,
      columns,
      weights: allocate(source.length * 2),
      scales: allocate(columns * 4),
      bias: allocate(columns * 4),
    };
    floats.set(bias, matrix.bias / 4);
    const most = new Float32Array(columns);
    for (let index = 0; index < source.length; index += 1) {
      const column = index % columns;
      most[column] = Math.max(most[column]!, Math.abs(source[index]!));
    }
    for (let column = 0; column < columns; column += 1) {
      floats[matrix.scales / 4 + column] = most[column]! / LARGEST;
    }
    let target = matrix.weights / 2;
    for (let panel = 0; panel < columns; panel += 8) {
      for (let row = 0; row < inner; row += 2) {
        for (let column = panel; column < panel + 8; column += 1) {
          const factor = most[column] === 0 ? 0 : LARGEST / most[column]!;
          integers[target] = roundHalfUp(source[row * columns + column]! * factor);
          integers[target + 1] = roundHalfUp(source[(row + 1) * columns + column]! * factor);
          target += 2;
        }
      }
    }
    return matrix;
  }

  function loadLayer(source: Weights, { name, width }: (typeof LAYERS)[number]): Layer {
    const constants = `Encode/${name}/TransformerLayer/`;
    const stacked = `Encode/TransformerStack/${name}/TransformerLayer/FFN/`;
    const kernels = `module/Encoder_en/KonaTransformer/Encode/${name}/TransformerLayer/MultiheadAttention/`;
    const load = (name: string, size: number) => {
      const at = allocate(size * 4);
      floats.set(source.read(`${constants}${name}/ConcatPartitions/concat`, size), at / 4);
      return at;
    };
    const norm = (place: string, size: number): Norm => ({
      scale: load(`${place}layer_norm_scale`, size),
      bias: load(`${place}layer_norm_bias`, size),
    });
    const bias = (place: string, size: number) =>
      source.read(`${constants}${place}/bias/ConcatPartitions/concat`, size);
    return {
      width,
      attentionNorm: norm('layer_prepostprocess/layer_norm/', width),
      queriesKeysValues: loadMatrix(
        source.read(`${kernels}qkv_transform_single/kernel/part_0`, width * 3 * width),
        bias('MultiheadAttention/qkv_transform_single', 3 * width),
        width,
      ),
      attentionOut: loadMatrix(
        source.read(`${kernels}output_transform_single/kernel/part_0`, width * 512),
        bias('MultiheadAttention/output_transform_single', 512),
        width,
      ),
      feedNorm: norm('FFN/layer_prepostprocess/layer_norm/', 512),
      feedIn: loadMatrix(
        source.read(`${stacked}conv1/Tensordot/Reshape_1`, 512 * 1536),
        bias('FFN/conv1', 1536),
        512,
      ),
      feedOut: loadMatrix(
        source.read(`${stacked}conv2/Tensordot/Reshape_1`, 1536 * 512),
        bias('FFN/conv2', 512),
        1536,
      ),
    };
  }
}

const MAX_TOKENS = 128;
const PIECES = 8002;
const HEADS = 4;
const LAYERS = [
  { name: 'Layer_0', width: 256 },
  { name: 'Layer_1', width: 512 },
] as const;
/** Limit of an int16 here: the sum of 1,536 products of two such numbers fits an int32. */
const LARGEST = 1023;
const MEMORY_BYTES = 14 * 1024 * 1024;

/** Addresses and sizes of the data in the memory of the kernels. */
interface Matrix {
  inner: number;
  columns: number;
  weights: number;
  scales: number;
  bias: number;
}

interface Norm {
  scale: number;
  bias: number;
}

interface Layer {
  width: number;
  attentionNorm: Norm;
  queriesKeysValues: Matrix;
  attentionOut: Matrix;
  feedNorm: Norm;
  feedIn: Matrix;
  feedOut: Matrix;
}

function createAllocator(): (bytes: number) => number {
  let top = 0;
  return (bytes) => {
    const address = top;
    top += roundUp(bytes, 16);
    return address;
  };
}

/** Sines, then cosines, of the position of a token. */
function timingSignal(frequencies: Float32Array): Float32Array {
  const signal = new Float32Array(MAX_TOKENS * 256);
  for (let token = 0; token < MAX_TOKENS; token += 1) {
    frequencies.forEach((frequency, index) => {
      signal[token * 256 + index] = Math.sin(token * frequency);
      signal[token * 256 + 128 + index] = Math.cos(token * frequency);
    });
  }
  return signal;
}

const roundUp = (value: number, step: number) => Math.ceil(value / step) * step;
const roundHalfUp = (value: number) => Math.floor(value + 0.5);
