import type { HealthDetail, HealthProblem } from '@claude-mem/worker-protocol';

/** Returns the problems that the worker reports. An older worker reports only notices. */
export function healthProblems({ problems, notices }: HealthDetail): readonly HealthProblem[] {
  const known = problems as HealthDetail['problems'] | undefined;
  return known ?? notices.map(toProblem);
}

const RESTART = 'Run: claude-mem restart, then claude-mem doctor';

const toProblem = (message: string): HealthProblem => ({
  code: 'notice',
  severity: 'warning',
  message,
  action: RESTART,
});

/** Returns the action that the worker suggests for the first problem with one of the codes. */
export function actionFor(codes: string | readonly string[], health: HealthDetail | null): string {
  const problems = health === null ? [] : healthProblems(health);
  return problems.find(({ code }) => [codes].flat().includes(code))?.action ?? RESTART;
}
