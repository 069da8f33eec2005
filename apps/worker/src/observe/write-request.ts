import { estimateTokens, type ObserverBatch } from '@claude-mem/core';
import type { Wishes } from './ask-provider.js';

export interface WrittenRequest {
  texts: { instructions: string; prompt: string };
  /** What it costs at least, in tokens. */
  tokens: number;
}

/** What a vendor's format adds around the texts. */
const FRAME_TOKENS = 150;
/** The instructions cannot be made smaller. */
const TRIES = 3;

/**
 * The texts of a request that stays below `maxTokens`, also counted as the bytes that are sent: quotes and line ends take
 * two of them there.
 */
export async function writeRequest(
  batch: ObserverBatch,
  { mode, language, verbosity }: Wishes,
  maxTokens: number,
): Promise<WrittenRequest> {
  const { writeObserverPrompt } = await import('@claude-mem/parser');
  let allowed = maxTokens - FRAME_TOKENS;
  for (let tries = 1; ; tries += 1) {
    const texts = writeObserverPrompt(batch, mode, { language, verbosity, maxTokens: allowed });
    const tokens = estimateTokens(texts.instructions) + estimateTokens(texts.prompt);
    const sent = Math.ceil(JSON.stringify(texts).length / 4) + FRAME_TOKENS;
    if (sent <= maxTokens || tries === TRIES) return { texts, tokens };
    allowed = Math.floor(allowed * (maxTokens / sent) * 0.97);
  }
}
