import type { HealthProblem } from '@claude-mem/worker-protocol';

/** A problem for the user. */
export interface Diagnostic extends HealthProblem {
  /** The same in one line, for small displays. @default the message */
  notice?: string;
}

const SEVERITIES = ['error', 'warning', 'info'] as const satisfies readonly HealthProblem['severity'][];

/** Sorts by severity, otherwise by order of detection. */
export function toProblems(diagnostics: readonly Diagnostic[]): HealthProblem[] {
  return SEVERITIES.flatMap((severity) =>
    diagnostics
      .filter((diagnostic) => diagnostic.severity === severity)
      .map(({ notice: _, ...problem }) => problem),
  );
}

export const toNotices = (diagnostics: readonly Diagnostic[]): string[] =>
  diagnostics.map(({ notice, message }) => notice ?? message);
