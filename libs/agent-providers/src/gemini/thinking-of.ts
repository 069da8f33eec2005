/**
 * As little thinking as a model allows: thoughts are paid for, and the task needs none. Models that know no such setting refuse
 * the request, so nothing is sent to those whose name says nothing.
 */
export function thinkingOf(model: string): ThinkingConfig | null {
  const generation = Number(/(?:^|\/)gemini-(\d+)/.exec(model)?.[1] ?? 0);
  if (/gemini-2\.5-flash/.test(model)) return { thinkingBudget: 0 };
  if (/gemini-2\.5-pro/.test(model)) return { thinkingBudget: 128 };
  if (generation < 3) return null;
  return { thinkingLevel: /flash-lite/.test(model) ? 'MINIMAL' : 'LOW' };
}

export type ThinkingConfig = { thinkingBudget: number } | { thinkingLevel: 'MINIMAL' | 'LOW' };
