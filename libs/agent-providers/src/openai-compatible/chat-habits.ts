import { MAX_REPLY_TOKENS, MAX_TOKENS_WITH_THOUGHTS } from '../model/reply-limits.js';
import type { ChatRefusal } from './create-chat-fetch.js';

/**
 * Parameters on which servers and models differ. They are learned from refusals, so each unsupported parameter is
 * sent once per provider.
 */
export interface ChatHabits {
  /** Sends `stream_options`, without which OpenAI streams no usage. Some servers refuse unknown parameters. */
  asksForUsage: boolean;
  /** Names of the token limit that were not refused, in order of preference. When empty, no limit is sent. */
  limitNames: readonly ('max_tokens' | 'max_completion_tokens')[];
  /** The parameter that disables thinking. Some models always think and refuse it. */
  reasoning: ReasoningFields | null;
}

type ReasoningFields = { reasoning: { enabled: false } } | { reasoning_effort: 'low' };

/** Local servers know only the old name of the limit and ignore the new one. Newer OpenAI models refuse the old one. */
export function habitsFor(baseUrl: string | null, model: string): ChatHabits {
  const isOpenAi = baseUrl !== null && /(^|\.)openai\.(?:com|azure\.com)$/.test(new URL(baseUrl).hostname);
  return {
    asksForUsage: true,
    limitNames: isOpenAi ? ['max_completion_tokens', 'max_tokens'] : ['max_tokens', 'max_completion_tokens'],
    reasoning: isOpenAi && /^(?:o\d|gpt-[5-9])/.test(model) ? { reasoning_effort: 'low' } : null,
  };
}

/** Returns the parameters for a retry after a refusal of the request's form. Null for other refusals. */
export function adaptHabits(habits: ChatHabits, { status, text }: ChatRefusal): ChatHabits | null {
  if (status !== 400 && status !== 422) return null;
  if (habits.reasoning && /reasoning/i.test(text)) return { ...habits, reasoning: null };
  if (!UNKNOWN.test(text)) return null;
  if (habits.asksForUsage && /stream_options|include_usage/.test(text))
    return { ...habits, asksForUsage: false };
  const [limit, ...others] = habits.limitNames;
  if (limit !== undefined && new RegExp(`\\b${limit}\\b`).test(text))
    return { ...habits, limitNames: others };
  return null;
}

const UNKNOWN =
  /unsupported|unrecogni[sz]ed|unknown|unexpected|not (?:supported|permitted|allowed|recogni[sz]ed)|forbidden|extra (?:inputs|fields)/i;

/** Returns the request fields for these parameters. */
export function fieldsOf(habits: ChatHabits) {
  const { asksForUsage, limitNames, reasoning } = habits;
  const [limitName] = limitNames;
  return {
    ...(asksForUsage ? { stream_options: { include_usage: true } } : {}),
    ...(limitName === undefined ? {} : { [limitName]: maxTokensOf(habits) }),
    ...reasoning,
  };
}

/** Returns the token limit of a reply with these parameters. */
export function maxTokensOf({ reasoning }: ChatHabits): number {
  return reasoning !== null && 'reasoning' in reasoning ? MAX_REPLY_TOKENS : MAX_TOKENS_WITH_THOUGHTS;
}
