import { HOST_NAMES, type HostEvent } from '@claude-mem/core';
import {
  adapterFor,
  decodeHookBody,
  type AdapterOptions,
  type HookEnv,
  type HostAdapter,
} from '@claude-mem/host-adapters';

/** The content of a hook request. */
export type HookInput =
  | {
      kind: 'event';
      adapter: HostAdapter;
      event: HostEvent;
      readFile: string | null;
      takesFix: boolean;
      env: HookEnv;
    }
  /** The host adapter ignores the event. */
  | { kind: 'ignored'; adapter: HostAdapter; reason: string; env: HookEnv }
  /** The event is invalid. `adapter` is null for an unknown host. */
  | { kind: 'invalid'; adapter: HostAdapter | null; message: string; isEmpty: boolean; env: HookEnv };

/** Parses the bytes of a hook request. Never throws. */
export type ReadHook = (hook: { host: string; event: string; body: Uint8Array }) => HookInput;

/**
 * Returns the parser of hook requests for all hosts.
 * @param options folders of claude-mem, which the adapters exclude
 */
export function createHookReader(options: AdapterOptions): ReadHook {
  const adapters = new Map(HOST_NAMES.map((host) => [host as string, adapterFor(host, options)]));
  return ({ host, event, body }) => {
    const adapter = adapters.get(host) ?? null;
    const decoded = decodeHookBody(body);
    const { env } = decoded;
    const isEmpty = 'problem' in decoded && decoded.isEmpty;
    if (adapter === null) return { kind: 'invalid', adapter, message: 'unknown host', isEmpty, env };
    if ('problem' in decoded) return { kind: 'invalid', adapter, message: decoded.problem, isEmpty, env };
    const { payload } = decoded;
    const reading = adapter.readEvent({ event, payload, env });
    if (reading.kind === 'event') {
      const { event: read, readFile = null, takesFix = false } = reading;
      return { kind: 'event', adapter, event: read, readFile, takesFix, env };
    }
    if (reading.kind === 'ignored') return { kind: 'ignored', adapter, reason: reading.reason, env };
    return { kind: 'invalid', adapter, message: reading.message, isEmpty: false, env };
  };
}
