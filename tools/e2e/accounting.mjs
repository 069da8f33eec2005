// Compares the events that were sent with the events in the database.
import { createHash } from 'node:crypto';
import { adapterFor, dedupeKeyOf } from '@claude-mem/host-adapters';

const HOST = 'claude-code';
const TOOL_EVENTS = new Set(['PostToolUse', 'PostToolUseFailure']);
const ENDS = ['stored', 'evidence', 'empty', 'filtered', 'dropped'];

/**
 * Counts the outcomes of the tool events of one session. `missing`: sent but not stored. `waiting`: still in the
 * queue. @param peek a function that reads the database, see `peekDatabase` @param events { event, payload } as sent,
 * including duplicates
 */
export function accountFor(peek, { sessionId, events }) {
  const session = peek.rows('SELECT id, status FROM sdk_sessions WHERE content_session_id = ?', sessionId);
  const id = Number(session[0]?.['id'] ?? -1);
  const ledger = new Map(
    peek
      .rows('SELECT hex(key) AS key, outcome FROM event_ledger WHERE session_id = ?', id)
      .map((row) => [row['key'], row['outcome']]),
  );
  const keys = toolKeys(events);
  const count = (table) => Number(peek.value(`SELECT count(*) FROM ${table} WHERE session_id = ?`, id));
  const ends = Object.fromEntries(
    ENDS.map((end) => [end, keys.filter((key) => ledger.get(key) === end).length]),
  );
  return {
    sessions: session.length,
    status: session[0]?.['status'] ?? null,
    sent: keys.length,
    ...ends,
    waiting: keys.filter((key) => ledger.has(key) && ledger.get(key) === null).length,
    missing: keys.filter((key) => !ledger.has(key)).length,
    missingIds: events
      .filter((event) => isToolEvent(event) && !ledger.has(keyOf(event)))
      .map(({ payload }) => payload.tool_use_id),
    ledger: ledger.size,
    turns: peek
      .rows(
        'SELECT prompt_number, count(*) AS events FROM event_ledger WHERE session_id = ? GROUP BY 1 ORDER BY 1',
        id,
      )
      .map((row) => `${row['prompt_number']}:${row['events']}`)
      .join(' '),
    prompts: count('user_prompts'),
    observations: count('observations'),
    summaries: count('session_summaries'),
    doubled: Number(
      peek.value(
        `SELECT count(*) FROM (SELECT 1 FROM observations WHERE session_id = ? GROUP BY content_hash HAVING count(*) > 1)`,
        id,
      ),
    ),
  };
}

/** Returns one sentence for each deviation in the counts of a session after the queue is empty. */
export function accountProblems(name, account) {
  const ended = ENDS.reduce((sum, end) => sum + account[end], 0);
  return [
    account.sessions !== 1 && `${name}: ${account.sessions} sessions instead of one`,
    account.missing > 0 && `${name}: ${account.missing} of ${account.sent} tool events are nowhere`,
    account.waiting > 0 && `${name}: ${account.waiting} tool events still wait`,
    account.dropped > 0 && `${name}: ${account.dropped} tool events were dropped`,
    account.doubled > 0 && `${name}: ${account.doubled} observations are stored twice`,
    ended !== account.sent && `${name}: ${account.sent} tool events sent, ${ended} ended`,
  ].filter(Boolean);
}

const adapter = adapterFor(HOST);
const isToolEvent = ({ event }) => TOOL_EVENTS.has(event);

/** Returns the deduplication keys of the tool events that were sent. */
const toolKeys = (events) => [...new Set(events.filter(isToolEvent).map(keyOf))];

function keyOf({ event, payload }) {
  const reading = adapter.readEvent({ event, payload, env: {} });
  if (reading.kind !== 'event') throw new Error(`${event} is ${reading.kind}`);
  const dedupeKey = dedupeKeyOf(reading.event, {});
  return createHash('sha256').update(dedupeKey).digest().subarray(0, 12).toString('hex').toUpperCase();
}
