/**
 * Returns the least thinking that a model allows, because thinking is charged and the task needs none. Models without
 * such a parameter refuse it, so nothing is sent when the model's name is unknown.
 */
export function thinkingOf(model: string): ThinkingConfig | null {
  const generation = Number(/(?:^|\/)gemini-(\d+)/.exec(model)?.[1] ?? 0);
  if (/gemini-2\.5-flash/.test(model)) return { thinkingBudget: 0 };
  if (/gemini-2\.5-pro/.test(model)) return { thinkingBudget: 128 };
  if (generation < 3) return null;
  return { thinkingLevel: /flash-lite/.test(model) ? 'MINIMAL' : 'LOW' };
}

export type ThinkingConfig = { thinkingBudget: number } | { thinkingLevel: 'MINIMAL' | 'LOW' };
