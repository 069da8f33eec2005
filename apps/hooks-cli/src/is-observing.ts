import type { HealthDetail } from '@claude-mem/worker-protocol';

/** Somebody is asked and answers, whatever keeps others from it. */
export function isObserving({ provider, providers }: HealthDetail['observer']): boolean {
  return providers.some(({ name, state }) => name === provider && state === 'works');
}
