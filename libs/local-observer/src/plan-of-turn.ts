import { readTaskText } from '@claude-mem/evidence';
import { filesIn } from './names-in.js';
import type { Turn } from './turn.js';

/** The plan as it stood last: what it is for, and what it names. */
export function planOfTurn({
  evidence,
}: Turn): { outcome: 'approved' | 'rejected'; goal: string | null; names: string[] } | null {
  const last = evidence.plans.at(-1);
  if (!last) return null;
  return {
    outcome: last.outcome,
    goal: readTaskText(last.plan, last.at)?.reason ?? null,
    names: namesIn(last.plan),
  };
}

/** Files, code in backticks, actions and environment variables, in order of appearance. */
function namesIn(plan: string): string[] {
  const text = plan.slice(0, 20_000);
  const prose = text.replace(/```[\s\S]*?(?:```|$)/g, ' ');
  const found = [
    ...filesIn(prose).slice(0, 4),
    ...[...text.matchAll(/\buses:\s*([\w./-]+@[\w.-]+)/g)].map((match) => match[1]!),
    ...[...text.matchAll(/\b[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+\b/g)].map((match) => match[0]).slice(0, 12),
    ...[...prose.matchAll(/`([^`\n]{3,60})`/g)].map((match) => match[1]!),
  ];
  const unique = [...new Set(found)];
  return unique
    .filter(
      (name) =>
        !/^https?:|^\.\w+$/.test(name) && !unique.some((other) => other !== name && other.includes(name)),
    )
    .slice(0, 10);
}
