import type { HealthDetail, HealthProblem } from '@claude-mem/worker-protocol';

/** What the worker says about itself; of one of an older version only its notices. */
export function problemsOf({ problems, notices }: HealthDetail): readonly HealthProblem[] {
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

/** What the worker says can be done about a problem it has, of one of these codes. */
export function actionAgainst(codes: string | readonly string[], health: HealthDetail | null): string {
  const problems = health === null ? [] : problemsOf(health);
  return problems.find(({ code }) => [codes].flat().includes(code))?.action ?? RESTART;
}
