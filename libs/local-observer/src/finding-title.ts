import { toSingleLine } from '@claude-mem/core';
import { fitTitle } from './fit-title.js';
import { unquoted } from './text/unquoted.js';
import type { Turn } from './turn.js';

/** Creates a title for a turn without edits from a failure or a choice of the user. */
export function findingTitle({ evidence, clean }: Turn): string | null {
  const fix = evidence.fixes[0];
  const failed =
    fix?.failed ??
    evidence.commands.findLast(
      (run) => run.outcome === 'failed' && !run.isUsageError && !run.isScratch && run.error !== null,
    );
  if (failed?.error) {
    const subject = failed.kind === 'commit' ? 'Commit hook' : failed.name;
    const code = /\b(?:TS\d{3,5}|E\d{3,4}|G\d{3}|[A-Z]{2,4}\d{3,4}|[A-Z]\w+(?:Error|Exception))\b/.exec(
      failed.error,
    )?.[0];
    const message = failed.error
      .replace(/^.*?(?:error(?:\[\w+\])? ?(?:TS\d+)?:|\b[A-Z]{1,4}\d{3,5}:)\s*/i, '')
      .replace(/^[^\s:]+:\d+(?::\d+)?:\s*/, '');
    // The code is at another position in the line, so it is not part of the quotation.
    const start = `${subject} failed: ${code !== undefined && !message.includes(code) ? `${code} ` : ''}`;
    const title = fitTitle(clean(start + message, 200));
    return title?.startsWith(start)
      ? `${start}“${unquoted(title.slice(start.length))}”`
      : clean(`${subject} failed with ${code ?? 'an error'}`, 90);
  }
  const plan = evidence.plans.at(-1);
  if (plan) {
    const heading =
      /^#{1,3} +(?:plan\s*[:：-]\s*)?(.+)$/im.exec(plan.plan)?.[1] ??
      plan.plan.trim().split('\n')[0]?.slice(0, 120);
    if (heading !== undefined) {
      const label = plan.outcome === 'approved' ? 'Plan approved' : 'Plan not approved';
      const titles = [`${label}: `, 'Plan: ', ''].map((start) =>
        fitTitle(clean(`${start}${toSingleLine(heading)}`, 120)),
      );
      return titles.find((title) => title !== null && title !== label) ?? null;
    }
  }
  const choice = evidence.choices.findLast(({ rejected }) => rejected.length > 0);
  return choice ? fitTitle(clean(`Chosen: ${choice.answer} — ${choice.question}`, 200)) : null;
}
