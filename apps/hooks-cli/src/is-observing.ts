import type { HealthDetail } from '@claude-mem/worker-protocol';

/** Whether the current provider works, even if other providers have problems. */
export function isObserving({ provider, providers }: HealthDetail['observer']): boolean {
  return providers.some(({ name, state }) => name === provider && state === 'works');
}
