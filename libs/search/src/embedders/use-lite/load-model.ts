import type { KernelMemory } from './kernels/open-kernels.js';
import type { Matrix, QuantizedMatrices } from './quantized-matrices.js';
import type { Weights } from './read-weights.js';

/** Two transformer layers, the first with 256 numbers per token and the second with 512, and one dense layer. */
export interface Model {
  /** 256 numbers per piece of the vocabulary. */
  embeddings: Float32Array;
  /** 256 numbers per position of a token. */
  timing: Float32Array;
  layers: readonly [Layer, Layer];
  /** From 256 to 512 numbers. */
  widen: Matrix;
  finish: Matrix;
}

export interface Layer {
  width: number;
  attentionNorm: Norm;
  queriesKeysValues: Matrix;
  attentionOut: Matrix;
  feedNorm: Norm;
  feedIn: Matrix;
  feedOut: Matrix;
}

/** Addresses in the memory of the kernels. */
export interface Norm {
  scale: number;
  bias: number;
}

/** Reads all weights once. */
export function loadModel(
  weights: Weights,
  { buffer, allocate }: Pick<KernelMemory, 'buffer' | 'allocate'>,
  matrices: QuantizedMatrices,
  maxTokens: number,
): Model {
  const loadMatrix = (kernel: string, bias: string, inner: number, columns: number) =>
    matrices.load(weights.read(kernel, inner * columns), weights.read(bias, columns), inner);
  const loadVector = (name: string, size: number) => {
    const at = allocate(size * 4);
    new Float32Array(buffer).set(weights.read(name, size), at / 4);
    return at;
  };

  const loadLayer = (name: string, width: number): Layer => {
    const layer = `Encode/${name}/TransformerLayer/`;
    const feed = `Encode/TransformerStack/${name}/TransformerLayer/FFN/`;
    const attention = `module/Encoder_en/KonaTransformer/${layer}MultiheadAttention/`;
    const norm = (part: string, size: number): Norm => ({
      scale: loadVector(`${layer}${part}/layer_norm/layer_norm_scale/ConcatPartitions/concat`, size),
      bias: loadVector(`${layer}${part}/layer_norm/layer_norm_bias/ConcatPartitions/concat`, size),
    });
    const biasOf = (part: string) => `${layer}${part}/bias/ConcatPartitions/concat`;
    return {
      width,
      attentionNorm: norm('layer_prepostprocess', width),
      queriesKeysValues: loadMatrix(
        `${attention}qkv_transform_single/kernel/part_0`,
        biasOf('MultiheadAttention/qkv_transform_single'),
        width,
        3 * width,
      ),
      attentionOut: loadMatrix(
        `${attention}output_transform_single/kernel/part_0`,
        biasOf('MultiheadAttention/output_transform_single'),
        width,
        512,
      ),
      feedNorm: norm('FFN/layer_prepostprocess', 512),
      feedIn: loadMatrix(`${feed}conv1/Tensordot/Reshape_1`, biasOf('FFN/conv1'), 512, 1536),
      feedOut: loadMatrix(`${feed}conv2/Tensordot/Reshape_1`, biasOf('FFN/conv2'), 1536, 512),
    };
  };

  const dense = 'Encode/Layer_0/TransformerLayer/dense';
  const output = 'module/Encoder_en/hidden_layers/tanh_layer_0';
  return {
    embeddings: weights.read('module/Embeddings_en', PIECES * 256),
    timing: timingSignal(
      weights.read('Encode/TransformerStack/Layer_0/AddTimingSignal/TimingSignal/ExpandDims_1', 128),
      maxTokens,
    ),
    layers: [loadLayer('Layer_0', 256), loadLayer('Layer_1', 512)],
    widen: loadMatrix(
      `${dense}/kernel/ConcatPartitions/concat`,
      `${dense}/bias/ConcatPartitions/concat`,
      256,
      512,
    ),
    finish: loadMatrix(`${output}/weights`, `${output}/bias`, 512, 512),
  };
}

const PIECES = 8002;

/** Sines, then cosines, of the position of a token. */
function timingSignal(frequencies: Float32Array, tokens: number): Float32Array {
  const signal = new Float32Array(tokens * 256);
  for (let token = 0; token < tokens; token += 1) {
    frequencies.forEach((frequency, index) => {
      signal[token * 256 + index] = Math.sin(token * frequency);
      signal[token * 256 + 128 + index] = Math.cos(token * frequency);
    });
  }
  return signal;
}
