import { isRecord, type JsonValue, type ObservedToolUse } from '@claude-mem/core';

/**
 * What a sub-agent found comes when it ends, and with most hosts once more with the tool that had started it: of the two that one
 * is kept, since it says what was asked.
 */
export function withoutRepeatedAnswers(uses: readonly ObservedToolUse[]): readonly ObservedToolUse[] {
  const asked = uses.filter(({ toolUseId }) => toolUseId !== null).flatMap(answersIn);
  const told = new Set(asked.map(keyOf));
  return uses.filter((use) => {
    const answers = use.toolUseId === null ? answersIn(use) : [];
    return answers.length === 0 || !answers.every((answer) => told.has(keyOf(answer)));
  });
}

interface Answer {
  agentId: string;
  text: string;
}

function answersIn({ response }: ObservedToolUse): readonly Answer[] {
  if (!isRecord(response)) return [];
  const { agentId, content } = response;
  if (typeof agentId !== 'string' || !Array.isArray(content)) return [];
  return (content as readonly JsonValue[]).flatMap((block) =>
    isRecord(block) && typeof block['text'] === 'string' ? [{ agentId, text: block['text'] }] : [],
  );
}

const keyOf = ({ agentId, text }: Answer) => `${agentId}\0${text.trim()}`;
