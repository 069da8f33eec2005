import * as Type from 'typebox';
import { oneOf } from './common.js';
import { QueueCountsRecord } from './records.js';
import { IndexState } from './search.js';

/**
 * `starting`: not ready yet. `degraded`: running with problems, see notices. `failed`: running but not usable, see
 * reason.
 */
const Status = oneOf(['ok', 'degraded', 'starting', 'failed']);

/** The response over TCP without the token. */
export const PublicHealth = Type.Object({ status: Status, ready: Type.Boolean() });
export type PublicHealth = Type.Static<typeof PublicHealth>;

const healthFields = {
  status: Status,
  live: Type.Literal(true),
  ready: Type.Boolean({ description: 'True when hooks and reads are accepted' }),
  reason: Type.Optional(Type.String({ description: 'Why not ready: cause and fix in one line' })),
  version: Type.String(),
  pid: Type.Integer(),
  uptimeMs: Type.Integer(),
  queue: Type.Union([QueueCountsRecord, Type.Null()], { description: 'Null while not ready' }),
  storage: Type.Record(Type.String(), Type.Unknown()),
  notices: Type.Array(Type.String(), { description: 'Messages for the user, one line each' }),
};

export const Health = Type.Object(healthFields);
export type Health = Type.Static<typeof Health>;

/** The page of the viewer on which the user can solve the problem. */
export const PROBLEM_PAGES = ['settings', 'queue', 'usage', 'logs'] as const;

export const HealthProblem = Type.Object({
  code: Type.String({ description: 'Stable code for programs' }),
  severity: oneOf(['error', 'warning', 'info'], {
    description: 'info: no data is lost and no work has stopped',
  }),
  message: Type.String({ description: 'Description of the setting' }),
  action: Type.String({ description: 'Suggested action' }),
  link: Type.Optional(oneOf(PROBLEM_PAGES, { description: 'Page of the viewer for this action' })),
});
export type HealthProblem = Type.Static<typeof HealthProblem>;

export const HealthDetail = Type.Object({
  ...healthFields,
  problems: Type.Array(HealthProblem, {
    description: 'Problems with their actions, most severe first',
  }),
  dataDir: Type.String(),
  logFile: Type.String(),
  socket: Type.String(),
  tcp: Type.Object({
    host: Type.String(),
    port: Type.Integer(),
    isListening: Type.Boolean(),
    problem: Type.Optional(Type.String()),
  }),
  spool: Type.Object({ waiting: Type.Integer(), rejected: Type.Integer() }),
  observer: Type.Object({
    provider: Type.String({ description: 'Current observer' }),
    model: Type.Union([Type.String(), Type.Null()]),
    running: Type.Integer({ description: 'Batches being observed now' }),
    problem: Type.Optional(Type.String()),
    providers: Type.Array(
      Type.Object({
        name: Type.String(),
        model: Type.Union([Type.String(), Type.Null()]),
        state: oneOf(['works', 'waiting', 'aside']),
        reason: Type.Union([Type.String(), Type.Null()]),
        sinceEpoch: Type.Union([Type.Integer(), Type.Null()], {
          description: 'Message of the latest failure',
        }),
        untilEpoch: Type.Union([Type.Integer(), Type.Null()], { description: 'Time of the next attempt' }),
      }),
      { description: 'Ready observers in the order in which they are called' },
    ),
  }),
  search: Type.Union([IndexState, Type.Null()], {
    description: 'Progress of the indexes. Null when it is not known',
  }),
  capture: Type.Object({
    events: Type.Integer({ description: 'Events committed since the start' }),
    ignored: Type.Integer(),
    failed: Type.Integer(),
    blank: Type.Integer({ description: 'Failed events that a hook could not write to disk' }),
  }),
  isErased: Type.Union([Type.Boolean(), Type.Null()], {
    description:
      'False when the file still contains deleted text, because the deletion can be undone or the text is not overwritten yet. Null when it is not known',
  }),
  memoryBytes: Type.Integer({ description: 'Resident set size' }),
});
export type HealthDetail = Type.Static<typeof HealthDetail>;
