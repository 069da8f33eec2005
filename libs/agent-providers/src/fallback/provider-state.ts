/**
 * `works`: no failure is known. `waiting`: a temporary failure; requests wait for this provider. `aside`: paused
 * until `untilEpoch`, and the next provider is used. When `untilEpoch` is null, the next request tries the provider
 * again.
 */
export interface ProviderState {
  name: string;
  model: string | null;
  state: 'works' | 'waiting' | 'aside';
  /** Null when the provider works. */
  reason: string | null;
  /** Epoch milliseconds of the latest failure. */
  sinceEpoch: number | null;
  untilEpoch: number | null;
}
