import { stat } from 'node:fs/promises';
import path from 'node:path';
import { messageOf } from '@claude-mem/core';
import type { Embedder } from '../../ports/embedder.js';
import { SearchError } from '../../search-error.js';
import { embedInBatches, type BatchLimits } from '../embed-in-batches.js';
import { importPackage } from '../import-package.js';

/** The used part of a feature-extraction pipeline. */
export interface TransformersPipeline {
  (texts: string[], options: { pooling: 'mean' | 'cls'; normalize: boolean }): Promise<{ tolist(): unknown }>;
  dispose?(): Promise<unknown>;
}

export interface TransformersEmbedderOptions {
  /**
   * Name of the model on the hub (`Xenova/all-MiniLM-L6-v2`), which is downloaded once, or the path of a folder,
   * which needs no network.
   */
  model: string;
  /** Format of the weights: `fp32`, `q8`, …. @default q8 */
  dtype?: string;
  /** Some models, such as BGE, need the first token instead. @default mean */
  pooling?: 'mean' | 'cls';
  /** Prefixes that models such as E5 need for queries and documents. @default none */
  prefixes?: { query: string; document: string };
  /** Creates the pipeline. @default the one of @huggingface/transformers */
  openPipeline?: (model: string, options: { dtype: string }) => Promise<TransformersPipeline>;
}

/**
 * Creates an embedder that runs any ONNX sentence model with @huggingface/transformers, a package that the user
 * installs.
 */
export function createTransformersEmbedder(options: TransformersEmbedderOptions): Embedder {
  const { model, dtype = 'q8', pooling = 'mean', openPipeline = openInstalledPipeline } = options;
  let pipeline: Promise<TransformersPipeline> | null = null;
  let lastRun: Promise<unknown> = Promise.resolve();
  let isClosed = false;

  return {
    model: nameOf(options),

    async embed(texts, { for: purpose, signal }) {
      signal?.throwIfAborted();
      assertOpen();
      if (texts.length === 0) return [];
      pipeline ??= openPipeline(model, { dtype });
      const run = await pipeline.catch((cause: unknown) => {
        pipeline = null;
        throw unavailable(model, cause);
      });
      const prefix = options.prefixes?.[purpose] ?? '';
      return embedInBatches(texts, LIMITS, (batch) =>
        oneAtATime(async () => {
          signal?.throwIfAborted();
          assertOpen();
          const prefixed = batch.map((text) => `${prefix}${text}`);
          const output = await run(prefixed, { pooling, normalize: true }).catch((cause: unknown) => {
            throw unavailable(model, cause);
          });
          const vectors = output.tolist();
          return Array.isArray(vectors) ? (vectors as unknown[]) : [];
        }),
      );
    },

    close,
    [Symbol.asyncDispose]: close,
  };

  /** The pipeline uses its own threads, so parallel runs would only need more memory. */
  function oneAtATime<Value>(task: () => Promise<Value>): Promise<Value> {
    const result = lastRun.then(task);
    lastRun = result.catch(() => undefined);
    return result;
  }

  function assertOpen(): void {
    if (isClosed) throw new SearchError('search/closed', 'The embedder is closed.');
  }

  async function close(): Promise<void> {
    if (isClosed) return;
    isClosed = true;
    await lastRun;
    const opened = await pipeline?.catch(() => null);
    await opened?.dispose?.();
  }
}

/** A small batch, so that a query does not wait for long. */
const LIMITS: BatchLimits = { texts: 16, length: 20_000, textLength: 6_000 };
const PACKAGE = '@huggingface/transformers';

/** Everything that changes a vector. */
function nameOf({ model, dtype = 'q8', pooling = 'mean', prefixes }: TransformersEmbedderOptions): string {
  const parts = [path.basename(model), dtype, pooling];
  return [...parts, ...(prefixes ? [prefixes.query, prefixes.document] : [])].join('/');
}

interface Transformers {
  env: { allowRemoteModels: boolean; localModelPath: string };
  pipeline(
    task: 'feature-extraction',
    model: string,
    options: { dtype: string },
  ): Promise<TransformersPipeline>;
}

async function openInstalledPipeline(
  model: string,
  options: { dtype: string },
): Promise<TransformersPipeline> {
  const name = PACKAGE;
  const { env, pipeline } = await importPackage(PACKAGE, () => import(name) as Promise<Transformers>);
  if (!(await isFolder(model))) return pipeline('feature-extraction', model, options);
  const folder = path.resolve(model);
  env.localModelPath = path.dirname(folder);
  env.allowRemoteModels = false;
  return pipeline('feature-extraction', path.basename(folder), options);
}

async function isFolder(place: string): Promise<boolean> {
  return stat(place).then(
    (found) => found.isDirectory(),
    () => false,
  );
}

function unavailable(model: string, cause: unknown): Error {
  if (SearchError.isInstance(cause)) return cause;
  return new SearchError(
    'search/embedder-unavailable',
    `The model ${model} cannot be used: ${messageOf(cause)}`,
    { cause },
  );
}
