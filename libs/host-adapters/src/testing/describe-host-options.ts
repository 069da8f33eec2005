import type { HostEvent } from '@claude-mem/core';
import type { HostAdapter } from '../host-adapter.js';
import type { HostSample } from './read-host-samples.js';

export interface DescribeHostOptions {
  open: () => HostAdapter;
  /** Recorded payloads of all supported versions of the host. */
  samples: readonly HostSample[];
  /** The kind of each captured hook event. All other known events are ignored. */
  captures: Readonly<Record<string, HostEvent['kind']>>;
  /** Hook events with context. */
  contextEvents: readonly string[];
}
