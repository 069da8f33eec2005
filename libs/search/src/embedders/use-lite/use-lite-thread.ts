import { parentPort, workerData, type MessagePort } from 'node:worker_threads';
import { createEncoder, DIMENSIONS, type Encoder } from './create-encoder.js';
import { openWeights } from './read-weights.js';

/**
 * This module is the program of the embedder's thread. It is only imported dynamically, so that a bundler creates a
 * file for it.
 */
export const THREAD_URL = import.meta.url;

export interface ThreadData {
  role: 'use-lite';
  weightsDir: string;
}

/** Sent when the thread has replied to the previous one. */
export interface ThreadRequest {
  texts: readonly string[];
  for: 'query' | 'document';
}

/** Vectors in order, or the permanent reason why there are none. */
export type ThreadReply = { vectors: Float32Array<ArrayBuffer> } | { failure: string };

if (parentPort !== null && isThreadData(workerData)) serve(parentPort, workerData);

function serve(port: MessagePort, { weightsDir }: ThreadData): void {
  const reply = (message: ThreadReply, transfer: ArrayBuffer[] = []) => port.postMessage(message, transfer);
  let encoder: Encoder;
  try {
    using weights = openWeights(weightsDir);
    encoder = createEncoder(weights);
  } catch (error) {
    reply({ failure: error instanceof Error ? error.message : String(error) });
    port.close();
    return;
  }
  port.on('message', ({ texts, for: purpose }: ThreadRequest) => {
    const vectors = new Float32Array(texts.length * DIMENSIONS);
    texts.forEach((text, index) => {
      vectors.set(encoder.embed(text, { for: purpose }), index * DIMENSIONS);
    });
    reply({ vectors }, [vectors.buffer]);
  });
}

function isThreadData(value: unknown): value is ThreadData {
  return typeof value === 'object' && value !== null && 'role' in value && value.role === 'use-lite';
}
