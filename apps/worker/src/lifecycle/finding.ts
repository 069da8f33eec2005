import type { HealthProblem } from '@claude-mem/worker-protocol';

/** Something that needs attention. */
export interface Finding extends HealthProblem {
  /** The same in one line, where there is no room for what to do. @default the message */
  notice?: string;
}

const SEVERITIES = ['error', 'warning', 'info'] as const satisfies readonly HealthProblem['severity'][];

/** Most severe first, otherwise as they were found. */
export function toProblems(findings: readonly Finding[]): HealthProblem[] {
  return SEVERITIES.flatMap((severity) =>
    findings.filter((finding) => finding.severity === severity).map(({ notice: _, ...problem }) => problem),
  );
}

export const toNotices = (findings: readonly Finding[]): string[] =>
  findings.map(({ notice, message }) => notice ?? message);
