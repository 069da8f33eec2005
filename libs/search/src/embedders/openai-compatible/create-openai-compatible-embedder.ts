import { isRecord, isWebAddress, toSingleLine, truncate } from '@claude-mem/core';
import type { Embedder } from '../../ports/embedder.js';
import { SearchError } from '../../search-error.js';
import { embedInBatches, type BatchLimits } from '../embed-in-batches.js';
import { importPackage } from '../import-package.js';
import { createBoundedFetch } from './create-bounded-fetch.js';

type EmbeddingsSdk = Pick<typeof import('openai'), 'OpenAI'>;

export interface OpenAiCompatibleEmbedderOptions {
  /** With or without `/v1`: `https://api.openai.com/v1`, `http://127.0.0.1:11434`. */
  baseUrl: string;
  model: string;
  /** Most local servers do not require a key. */
  apiKey?: string;
  /** Requested from models that can shorten their vectors. @default the size of the model */
  dimensions?: number;
  /** Milliseconds per request. The package repeats a failed request twice. @default 60_000 */
  timeoutMs?: number;
  /** Imports the package. */
  loadSdk?: () => Promise<EmbeddingsSdk>;
}

/**
 * Creates an embedder that uses a model of any server with an `/embeddings` API, such as Ollama, LM Studio, vLLM or
 * OpenAI.
 */
export function createOpenAiCompatibleEmbedder(options: OpenAiCompatibleEmbedderOptions): Embedder {
  const { model, dimensions, loadSdk = () => import('openai') } = options;
  const closing = new AbortController();
  let client: Promise<Client> | null = null;
  const close = async () => {
    closing.abort(closed());
  };

  return {
    model: dimensions === undefined ? model : `${model}@${dimensions}`,

    async embed(texts, { signal }) {
      signal?.throwIfAborted();
      closing.signal.throwIfAborted();
      if (texts.length === 0) return [];
      client ??= openClient(options, loadSdk);
      const opened = await client.catch((error: unknown) => {
        client = null;
        throw error;
      });
      const stop = AbortSignal.any([closing.signal, ...(signal ? [signal] : [])]);
      return embedInBatches(texts, LIMITS, (batch) => ask(opened, batch, stop));
    },

    close,
    [Symbol.asyncDispose]: close,
  };

  async function ask(opened: Client, batch: readonly string[], signal: AbortSignal) {
    const request = {
      model,
      input: [...batch],
      encoding_format: 'float' as const,
      ...(dimensions !== undefined && { dimensions }),
    };
    try {
      return readVectors(await opened.embeddings.create(request, { signal }), batch.length);
    } catch (error) {
      signal.throwIfAborted();
      if (SearchError.isInstance(error)) throw error;
      throw refused(options, error);
    }
  }
}

type Client = InstanceType<EmbeddingsSdk['OpenAI']>;

/** 64 texts of 1,000 tokens are below the limit of every server. */
const LIMITS: BatchLimits = { texts: 64, length: 60_000, textLength: 6_000 };

async function openClient(
  { baseUrl, apiKey = '', timeoutMs = 60_000 }: OpenAiCompatibleEmbedderOptions,
  loadSdk: () => Promise<EmbeddingsSdk>,
): Promise<Client> {
  const address = readBaseUrl(baseUrl);
  const key = apiKey.trim();
  if (!/^[\x21-\x7e]*$/.test(key)) {
    throw unavailable('The key of the embedder has spaces or characters that no key has.');
  }
  const { OpenAI } = await importPackage('openai', loadSdk);
  return new OpenAI({
    baseURL: address,
    apiKey: key === '' ? 'none' : key,
    // The package takes missing options from the environment.
    organization: null,
    project: null,
    logLevel: 'off',
    timeout: timeoutMs,
    fetch: createBoundedFetch({ authorization: key === '' ? null : `Bearer ${key}` }),
  });
}

function readBaseUrl(written: string): string {
  const text = written.trim();
  if (!isWebAddress(text)) {
    throw unavailable(
      'The address of the embedder cannot be used: it should look like http://127.0.0.1:11434/v1.',
    );
  }
  const url = new URL(text);
  const path = url.pathname.replace(/\/+$/, '').replace(/\/embeddings$/, '');
  url.pathname = path === '' ? '/v1' : path;
  return url.href;
}

/** Orders the vectors like the texts. */
function readVectors(answer: unknown, count: number): readonly unknown[] {
  const rows: unknown = isRecord(answer) ? answer.data : null;
  if (!Array.isArray(rows)) throw unavailable('The embedder answered with something else than vectors.');
  if (rows.length !== count)
    throw unavailable(`The embedder answered ${count} texts with ${rows.length} vectors.`);
  const vectors: unknown[] = Array.from({ length: count });
  rows.forEach((row: unknown, place) => {
    if (!isRecord(row)) return;
    vectors[typeof row.index === 'number' ? row.index : place] = row.embedding;
  });
  return vectors.slice(0, count);
}

/** The message contains the server's text, from which the key is removed. */
function refused({ apiKey = '', model }: OpenAiCompatibleEmbedderOptions, cause: unknown): SearchError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  const masked = apiKey.trim() === '' ? reason : reason.replaceAll(apiKey.trim(), '[key]');
  const words = truncate(toSingleLine(masked.replace(KEYS, '[key]').toWellFormed()), 200);
  return unavailable(`The embedder ${model} refused or cannot be reached: ${words}`);
}

const KEYS = /\b(?:sk|pk|key|gsk|hf|AIza)[-_A-Za-z0-9][-_.A-Za-z0-9*]{10,}|\bBearer\s+[^\s"',;]+/g;

const unavailable = (message: string) => new SearchError('search/embedder-unavailable', message);
const closed = () => new SearchError('search/closed', 'The embedder is closed.');
