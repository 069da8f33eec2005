import type { HoldoutReply } from '@claude-mem/worker-protocol';

/** Differences between smaller groups are mostly random. */
export const MIN_SESSIONS = 20;
/** At least 95% for groups of 20 sessions and more: the quantile of Student's t distribution for 19 degrees of freedom. */
const T_QUANTILE = 2.093;

const MEASURES = ['turns', 'repeatedReads', 'failedCommands'] as const;
type Measure = (typeof MEASURES)[number];
type HoldoutSession = HoldoutReply['sessions'][number];

interface Group {
  sessions: number;
  totals: Readonly<Record<Measure, number>>;
}

/** Mean of the sessions with injections minus mean of those without, per session, with its 95% interval. */
interface Difference {
  mean: number;
  from: number;
  to: number;
}

export interface HoldoutComparison {
  withInjections: Group;
  withoutInjections: Group;
  /** Null when a group has fewer than 20 sessions. */
  differences: Readonly<Record<Measure, Difference>> | null;
}

/** Compares the sessions of a holdout. Sessions whose tool uses were not counted are excluded. */
export function compareHoldout(sessions: readonly HoldoutSession[]): HoldoutComparison {
  const counted = sessions.filter(({ failedCommands }) => failedCommands !== null);
  const heldOut = counted.filter(({ isHeldOut }) => isHeldOut);
  const others = counted.filter(({ isHeldOut }) => !isHeldOut);
  const isEnough = Math.min(heldOut.length, others.length) >= MIN_SESSIONS;
  return {
    withInjections: toGroup(others),
    withoutInjections: toGroup(heldOut),
    differences: isEnough ? forEachMeasure((measure) => computeDifference(others, heldOut, measure)) : null,
  };
}

const forEachMeasure = <Value>(compute: (measure: Measure) => Value) =>
  Object.fromEntries(MEASURES.map((measure) => [measure, compute(measure)])) as Record<Measure, Value>;

const valuesOf = (sessions: readonly HoldoutSession[], measure: Measure) =>
  sessions.map((session) => session[measure] ?? 0);
const sumOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0);

function toGroup(sessions: readonly HoldoutSession[]): Group {
  return {
    sessions: sessions.length,
    totals: forEachMeasure((measure) => sumOf(valuesOf(sessions, measure))),
  };
}

function computeDifference(
  left: readonly HoldoutSession[],
  right: readonly HoldoutSession[],
  measure: Measure,
): Difference {
  const [a, b] = [computeMoments(valuesOf(left, measure)), computeMoments(valuesOf(right, measure))];
  const mean = a.mean - b.mean;
  const margin = T_QUANTILE * Math.sqrt(a.squaredError + b.squaredError);
  return { mean, from: mean - margin, to: mean + margin };
}

/** The mean, and the squared standard error of the mean. */
function computeMoments(values: readonly number[]) {
  const mean = sumOf(values) / values.length;
  const variance = sumOf(values.map((value) => (value - mean) ** 2)) / (values.length - 1);
  return { mean, squaredError: variance / values.length };
}
