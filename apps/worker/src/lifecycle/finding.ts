import type { HealthProblem } from '@claude-mem/worker-protocol';

/** A problem for the user. */
export interface Finding extends HealthProblem {
  /** The same in one line, for small displays. @default the message */
  notice?: string;
}

const SEVERITIES = ['error', 'warning', 'info'] as const satisfies readonly HealthProblem['severity'][];

/** Sorts by severity, otherwise by order of detection. */
export function toProblems(findings: readonly Finding[]): HealthProblem[] {
  return SEVERITIES.flatMap((severity) =>
    findings.filter((finding) => finding.severity === severity).map(({ notice: _, ...problem }) => problem),
  );
}

export const toNotices = (findings: readonly Finding[]): string[] =>
  findings.map(({ notice, message }) => notice ?? message);
