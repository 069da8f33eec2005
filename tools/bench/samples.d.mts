export interface BenchRow {
  measure: string;
  result: string;
  budget: string;
  verdict: '' | 'ok' | 'MISSED' | 'FAILED';
}

export declare class Samples<Value = unknown> {
  values: Value[];
  add(take: () => Value | PromiseLike<Value>, options?: { isWarmUp?: boolean }): Promise<void>;
  formatMissed(): string;
}

export declare function sampleRow<Value>(
  measure: string,
  samples: Samples<Value>,
  options: {
    format: (values: readonly Value[]) => string;
    budget?: string;
    isWithin?: ((values: readonly Value[]) => boolean) | null;
  },
): BenchRow;

export declare function runMeasurements(
  measurements: Iterable<
    readonly [
      name: string,
      measure: () => readonly BenchRow[] | void | PromiseLike<readonly BenchRow[] | void>,
    ]
  >,
): Promise<BenchRow[]>;

export declare function withTimeout<Value>(promise: PromiseLike<Value>, timeoutMs?: number): Promise<Value>;
