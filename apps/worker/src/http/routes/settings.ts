import { withoutUndefined, type Logger } from '@claude-mem/core';
import {
  changeSettings,
  checkChanges,
  findSetting,
  maskSettings,
  settingForm,
  SETTINGS,
  settingsByKey,
  type SettingDefinition,
  type SettingKey,
  type SettingValue,
} from '@claude-mem/settings';
import type { FastifyInstance } from 'fastify';
import type { LiveSettings } from '../../lifecycle/create-live-settings.js';
import { WorkerError } from '../../worker-error.js';
import { bindRoute } from '../bind-route.js';

type PlainValue = string | number | boolean | string[];

export async function settingsRoutes(
  app: FastifyInstance,
  { live, log }: { live: LiveSettings; log: Logger },
): Promise<void> {
  bindRoute(app, 'getSettings', async () => {
    live.refresh();
    const { settings, sources, problems } = live.loaded();
    const masked = maskSettings<SettingValue>(settingsByKey(settings));
    const items = (SETTINGS as readonly SettingDefinition[])
      .filter(({ notYet }) => !notYet)
      .map((definition) => {
        const { key, description, isSecret, overHttp } = definition;
        const form = settingForm(definition);
        return {
          key,
          value: masked[key] as PlainValue,
          source: sources[key as SettingKey],
          description,
          isSecret,
          isSettable: overHttp,
          ...form,
          choices: form.choices && [...form.choices],
          default: form.default as PlainValue,
        };
      })
      .map(withoutUndefined);
    return {
      settings: Object.fromEntries(items.map(({ key, value }) => [key, value])),
      items,
      problems: [...problems],
    };
  });

  bindRoute(app, 'changeSettings', async ({ body }) => {
    const { changes, refused } = checkChanges(body, { overHttp: true });
    if (refused.length > 0) {
      const isLocalOnly = refused.some(({ kind }) => kind === 'local-only');
      throw new WorkerError(
        isLocalOnly ? 'worker/not-settable' : 'worker/bad-request',
        `Nothing was changed: ${refused
          .map(({ key, reason }) => `${key} ${reason}`)
          .join('; ')
          .slice(0, 1_000)}.`,
        { data: { problems: refused.map(({ key, reason }) => ({ key, message: sentence(reason) })) } },
      );
    }
    await changeSettings(live.loaded().paths.settingsFile, changes);
    live.refresh();
    const changed = Object.keys(changes);
    log.info({ changed }, 'Settings changed');
    return { changed, needsRestart: changed.some((key) => findSetting(key)?.needsRestart === true) };
  });
}

const sentence = (reason: string) => `${reason.charAt(0).toUpperCase()}${reason.slice(1)}.`;
