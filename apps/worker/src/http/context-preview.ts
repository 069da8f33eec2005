import { isRecord, type Store } from '@claude-mem/core';
import { countRecordTokens, type SessionContext } from '@claude-mem/context-render';
import { checkChanges, SETTING_GROUPS, applySettingChanges, type Settings } from '@claude-mem/settings';
import type { ContextReply } from '@claude-mem/worker-protocol';
import { WorkerError } from '../worker-error.js';

const ABOUT_CONTEXT: ReadonlySet<string> = new Set(
  SETTING_GROUPS.filter(({ name }) => name === 'Context').flatMap(({ settings }) =>
    settings.map(({ key }) => key),
  ),
);

/**
 * Applies requested settings to the current ones, for a preview.
 *
 * @param json an object of keys and values; only settings about context are allowed
 * @throws WorkerError `worker/bad-request` with the problem of each key
 */
export function applyRequestedSettings(settings: Settings, json: string | undefined): Settings {
  if (json === undefined) return settings;
  const requested = parse(json);
  if (!isRecord(requested))
    throw new WorkerError('worker/bad-request', 'settings is not a JSON object of keys and values.');
  const { changes, refused } = checkChanges(requested, { overHttp: true });
  const problems = [
    ...refused.map(({ key, reason }) => ({ key, message: `${key} ${reason}.` })),
    ...Object.keys(changes)
      .filter((key) => !ABOUT_CONTEXT.has(key))
      .map((key) => ({ key, message: `${key} does not change the context.` })),
  ];
  if (problems.length > 0)
    throw new WorkerError(
      'worker/bad-request',
      problems
        .map(({ message }) => message)
        .join(' ')
        .slice(0, 1_000),
      {
        data: { problems },
      },
    );
  return applySettingChanges(settings, changes);
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

/** Describes the included and the skipped records. Records that were forgotten meanwhile are missing. */
export async function describeEntries(
  { shown, skipped }: Pick<SessionContext, 'shown' | 'skipped'>,
  store: Pick<Store, 'observationsByIds'>,
): Promise<Pick<ContextReply, 'shown' | 'skipped'>> {
  const ids = [...new Set([...shown, ...skipped.map(({ id }) => id)])];
  const known = new Map((await store.observationsByIds(ids)).map((one) => [one.id, one]));
  const entryOf = (id: number) => {
    const observation = known.get(id);
    if (observation === undefined) return [];
    const { title, type } = observation;
    return [{ id, title, type, tokens: countRecordTokens(observation) }];
  };
  return {
    shown: shown.flatMap(entryOf),
    skipped: skipped.flatMap(({ id, reason }) => entryOf(id).map((entry) => ({ ...entry, reason }))),
  };
}
