import type { HostEvent } from '@claude-mem/core';
import type { HostAdapter } from '../host-adapter.js';
import type { HostSample } from './read-host-samples.js';

export interface DescribeHostOptions {
  open: () => HostAdapter;
  /** Recorded payloads of the host, of every version it must work with. */
  samples: readonly HostSample[];
  /** What kind of event a captured hook event becomes; every other known event is ignored. */
  captures: Readonly<Record<string, HostEvent['kind']>>;
  /** Hook events that take context. */
  contextEvents: readonly string[];
}
