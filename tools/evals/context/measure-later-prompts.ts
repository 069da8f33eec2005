import { isRecord } from '@claude-mem/core';
import { recall } from '@claude-mem/search';
import type { Samples } from '../../bench/samples.mjs';
import { RECALLED } from './measure-context.js';
import { openReplay } from './open-replay.js';
import { PROJECT, type RecordedQuery, type RecordedTurn } from './read-codemem.js';

export interface MeasuredLaterPrompts {
  asked: number;
  given: number;
  /** All records that were injected for the first time in their session. */
  records: readonly {
    /** True if the session of the record is marked as relevant to the current session. */
    isRelevant: boolean;
    /** True if the record names a file that the turn then read or changed. */
    isTouched: boolean;
  }[];
}

/** Sends the later prompts of each session in order. Counts a record only the first time it is injected. */
export async function measureLaterPrompts({
  turns,
  queries,
  samples,
}: {
  turns: readonly RecordedTurn[];
  queries: readonly RecordedQuery[];
  /** Counts and reports prompts that fail. */
  samples: Samples;
}): Promise<readonly MeasuredLaterPrompts[]> {
  await using replay = await openReplay(turns);
  const bySession = new Map(queries.map((query) => [query.session, { query, given: new Set<number>() }]));
  const measured = new Map(
    queries.map(({ session }) => [
      session,
      { asked: 0, given: 0, records: [] as MeasuredLaterPrompts['records'][number][] },
    ]),
  );
  const askTurn = async (turn: RecordedTurn): Promise<void> => {
    const { session, beganAt, batch } = turn;
    const asking = bySession.get(session);
    const counts = measured.get(session);
    if (!asking || !counts || batch.prompt === null) return;
    await replay.advanceTo(beganAt);
    const known = await replay.storage.store.findSession({ host: 'claude-code', contentSessionId: session });
    const isLater = batch.promptNumber > 1;
    const { hits } = await recall(replay.memory, {
      prompt: batch.prompt,
      ...(isLater && { opening: asking.query.text }),
      project: PROJECT.key,
      session: known?.id ?? 0,
      exclude: [...asking.given],
      limit: RECALLED,
    });
    for (const { item } of hits) asking.given.add(item.id);
    if (!isLater) return;
    counts.asked += 1;
    if (hits.length > 0) counts.given += 1;
    const touched = filesOf(turn);
    for (const { item } of hits) {
      const its = await replay.storage.store.getSession(item.sessionId);
      counts.records.push({
        isRelevant: asking.query.relevant.has(its?.contentSessionId ?? ''),
        isTouched: [...item.filesModified, ...item.filesRead].some((file) => touched.has(file)),
      });
    }
  };
  for (const turn of [...turns].sort((left, right) => left.beganAt - right.beganAt))
    await samples.add(() => askTurn(turn));
  return [...queries]
    .sort((left, right) => left.at - right.at)
    .flatMap(({ session }) => measured.get(session) ?? []);
}

function filesOf({ batch }: RecordedTurn): ReadonlySet<string> {
  const paths = batch.toolUses.map(({ input }) => (isRecord(input) ? input['file_path'] : null));
  return new Set(
    paths.filter((path) => typeof path === 'string').map((path) => path.replace(`${PROJECT.key}/`, '')),
  );
}
