import { isRecord, type JsonValue, type ObservedToolUse } from '@claude-mem/core';

/**
 * Removes repeated results of sub-agents. Most hosts report a result twice: when the sub-agent ends, and with the
 * tool that started it. The tool use remains, because it contains the request.
 */
export function removeRepeatedResults(uses: readonly ObservedToolUse[]): readonly ObservedToolUse[] {
  const withRequest = uses.filter(({ toolUseId }) => toolUseId !== null).flatMap(resultsIn);
  const known = new Set(withRequest.map(keyOf));
  return uses.filter((use) => {
    const results = use.toolUseId === null ? resultsIn(use) : [];
    return results.length === 0 || !results.every((result) => known.has(keyOf(result)));
  });
}

interface AgentResult {
  agentId: string;
  text: string;
}

function resultsIn({ response }: ObservedToolUse): readonly AgentResult[] {
  if (!isRecord(response)) return [];
  const { agentId, content } = response;
  if (typeof agentId !== 'string' || !Array.isArray(content)) return [];
  return (content as readonly JsonValue[]).flatMap((block) =>
    isRecord(block) && typeof block['text'] === 'string' ? [{ agentId, text: block['text'] }] : [],
  );
}

const keyOf = ({ agentId, text }: AgentResult) => `${agentId}\0${text.trim()}`;
