import { describe, expect, it } from 'vitest';
import { findSetting, SETTING_GROUPS, settingForm, SETTINGS, type SettingDefinition } from './index.js';

const formOf = (key: string) => settingForm(findSetting(key) as SettingDefinition);

describe('settingForm', () => {
  it('returns the fields of a number, a flag, a choice, a list and a secret', () => {
    expect(formOf('CLAUDE_MEM_BATCH_MAX_SIZE')).toEqual({
      label: 'Batch size',
      group: 'Recording',
      kind: 'integer',
      minimum: 1,
      maximum: 2_000,
      default: 20,
      needsRestart: false,
    });
    expect(formOf('CLAUDE_MEM_BUDGET_DAY_USD')).toMatchObject({ kind: 'number', minimum: 0 });
    expect(formOf('CLAUDE_MEM_CONTEXT_ENABLED')).toMatchObject({ kind: 'boolean', default: true });
    expect(formOf('CLAUDE_MEM_LOG_LEVEL')).toMatchObject({ kind: 'choice', needsRestart: true });
    expect(formOf('CLAUDE_MEM_CONTEXT_PARTS')).toMatchObject({
      kind: 'list',
      choices: ['open', 'pinned', 'branch', 'timeline'],
    });
    expect(formOf('CLAUDE_MEM_CONTEXT_PARTS')).not.toHaveProperty('isOrdered');
    expect(formOf('CLAUDE_MEM_PROVIDER_FALLBACK')).toMatchObject({ kind: 'list', isOrdered: true });
    expect(formOf('CLAUDE_MEM_GEMINI_API_KEY')).toMatchObject({ kind: 'secret', default: '' });
    expect(formOf('CLAUDE_MEM_GEMINI_API_KEY')).not.toHaveProperty('minimum');
  });

  it('assigns each setting to one group, with a unique label', () => {
    const forms = (SETTINGS as readonly SettingDefinition[]).map(settingForm);
    const groups = forms.map(({ group }) => group).filter((group, place, all) => group !== all[place - 1]);
    expect(groups).toEqual(SETTING_GROUPS.map(({ name }) => name));
    const names = forms.map(({ group, label }) => `${group} ${label}`);
    expect(new Set(names).size).toBe(names.length);
    for (const { label } of forms) expect(label).toMatch(/^\S.{1,30}\S$/);
  });
});
