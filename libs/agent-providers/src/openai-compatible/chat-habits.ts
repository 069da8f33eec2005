import { MAX_REPLY_TOKENS, MAX_TOKENS_WITH_THOUGHTS } from '../model/reply-limits.js';
import type { ChatRefusal } from './create-chat-fetch.js';

/** What servers and models differ in. Learned from their refusals, so that each is asked wrongly once in the life of a provider. */
export interface ChatHabits {
  /** Sends `stream_options`, without which OpenAI streams no usage. Some servers refuse what they do not know. */
  asksForUsage: boolean;
  /** Names of the limit that were not refused yet, best first. None left: no limit is sent. */
  limitNames: readonly ('max_tokens' | 'max_completion_tokens')[];
  /** What keeps a model from thinking aloud before it answers. Some always do, and refuse to be told. */
  reasoning: ReasoningFields | null;
}

type ReasoningFields = { reasoning: { enabled: false } } | { reasoning_effort: 'low' };

/** Local servers know only the old name of the limit and ignore the new one; OpenAI's newer models refuse the old one. */
export function habitsFor(baseUrl: string | null, model: string): ChatHabits {
  const isOpenAi = baseUrl !== null && /(^|\.)openai\.(?:com|azure\.com)$/.test(new URL(baseUrl).hostname);
  return {
    asksForUsage: true,
    limitNames: isOpenAi ? ['max_completion_tokens', 'max_tokens'] : ['max_tokens', 'max_completion_tokens'],
    reasoning: isOpenAi && /^(?:o\d|gpt-[5-9])/.test(model) ? { reasoning_effort: 'low' } : null,
  };
}

/** How to ask again after a refusal that is about the form of the request; null when it is about something else. */
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

/** The fields of a request that follow from the habits. */
export function fieldsOf(habits: ChatHabits) {
  const { asksForUsage, limitNames, reasoning } = habits;
  const [limitName] = limitNames;
  return {
    ...(asksForUsage ? { stream_options: { include_usage: true } } : {}),
    ...(limitName === undefined ? {} : { [limitName]: maxTokensOf(habits) }),
    ...reasoning,
  };
}

/** The limit of a reply that is written with these habits. */
export function maxTokensOf({ reasoning }: ChatHabits): number {
  return reasoning !== null && 'reasoning' in reasoning ? MAX_REPLY_TOKENS : MAX_TOKENS_WITH_THOUGHTS;
}
