import { readTaskText } from '@claude-mem/evidence';
import { filesIn } from './names-in.js';
import type { Turn } from './turn.js';

/** Returns the goal and the names of the last plan. */
export function readPlanOfTurn({
  evidence,
}: Turn): { outcome: 'approved' | 'rejected'; goal: string | null; names: string[] } | null {
  const last = evidence.plans.at(-1);
  if (!last) return null;
  return {
    outcome: last.outcome,
    goal: readTaskText(last.plan, last.at)?.reason ?? null,
    names: findNames(last.plan),
  };
}

/** Returns files, code in backticks, actions and environment variables, in order of appearance. */
function findNames(plan: string): string[] {
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
