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
  /** Most local servers want none. */
  apiKey?: string;
  /**
   * Asked of a model that can shorten its vectors.
   * @default the model's own
   */
  dimensions?: number;
  /**
   * For one request; the package tries a failed one twice more.
   * @default 60_000
   */
  timeoutMs?: number;
  /** Imports the package. */
  loadSdk?: () => Promise<EmbeddingsSdk>;
}

/** A model behind any server that speaks `/embeddings`, such as Ollama, LM Studio, vLLM or OpenAI. */
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

/** 64 texts of 1,000 tokens stay below what any server takes at once. */
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
    // the package takes these from the environment where they are not given
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

/** In the order of the texts, whatever the order of the answer. */
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

/** The server's own words help, and may quote the key. */
function refused({ apiKey = '', model }: OpenAiCompatibleEmbedderOptions, cause: unknown): SearchError {
  const said = cause instanceof Error ? cause.message : String(cause);
  const masked = apiKey.trim() === '' ? said : said.replaceAll(apiKey.trim(), '[key]');
  const words = truncate(toSingleLine(masked.replace(KEYS, '[key]').toWellFormed()), 200);
  return unavailable(`The embedder ${model} refused or cannot be reached: ${words}`);
}

const KEYS = /\b(?:sk|pk|key|gsk|hf|AIza)[-_A-Za-z0-9][-_.A-Za-z0-9*]{10,}|\bBearer\s+[^\s"',;]+/g;

const unavailable = (message: string) => new SearchError('search/embedder-unavailable', message);
const closed = () => new SearchError('search/closed', 'The embedder is closed.');
