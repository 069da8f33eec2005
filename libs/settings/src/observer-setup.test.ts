import { OBSERVER_NAMES } from '@claude-mem/core';
import { describe, expect, it } from 'vitest';
import { loadSettings, missingForObserver, modelOfObserver, observerChain } from './index.js';

const given = (env: Record<string, string>) =>
  loadSettings({ env, home: '/home/none', readFile: () => '' }).settings;

describe('observerChain', () => {
  it('returns local when nothing is set', () => {
    expect(observerChain(given({}))).toEqual(['local']);
  });

  it('selects the first observer with a key or an address for auto', () => {
    const all = {
      CLAUDE_MEM_OPENAI_BASE_URL: 'http://127.0.0.1:11434/v1',
      CLAUDE_MEM_OPENROUTER_API_KEY: 'k',
      CLAUDE_MEM_GEMINI_API_KEY: 'k',
      CLAUDE_MEM_ANTHROPIC_API_KEY: 'k',
    };
    const entries = Object.entries(all);
    const chosen = entries.map((_, at) => observerChain(given(Object.fromEntries(entries.slice(0, at + 1)))));
    expect(chosen).toEqual([['openai-compatible'], ['openrouter'], ['gemini'], ['claude']]);
  });

  it('never selects claude-code for auto', () => {
    expect(observerChain(given({ CLAUDE_CODE_PATH: '/usr/bin/claude' }))).toEqual(['local']);
  });

  it('appends the fallbacks without duplicates', () => {
    const settings = given({
      CLAUDE_MEM_PROVIDER: 'gemini',
      CLAUDE_MEM_PROVIDER_FALLBACK: 'openrouter, gemini,local',
    });
    expect(observerChain(settings)).toEqual(['gemini', 'openrouter', 'local']);
  });

  it('ignores a fallback that is not an observer', () => {
    const env = { CLAUDE_MEM_PROVIDER_FALLBACK: 'claud,local' };
    const { settings, problems } = loadSettings({ env, home: '/home/none', readFile: () => '' });
    expect(settings.providerFallback).toEqual([]);
    expect(problems).toEqual([
      `CLAUDE_MEM_PROVIDER_FALLBACK in the environment is not a list of ${OBSERVER_NAMES.join(', ')}; it is ignored.`,
    ]);
  });
});

describe('missingForObserver', () => {
  it('suggests a command that does not contain the key', () => {
    const settings = given({});
    const fixes = OBSERVER_NAMES.map((name) => missingForObserver(name, settings)?.fix ?? null);
    expect(fixes).toEqual([
      null,
      'claude-mem settings set CLAUDE_MEM_ANTHROPIC_API_KEY',
      null,
      'claude-mem settings set CLAUDE_MEM_GEMINI_API_KEY',
      'claude-mem settings set CLAUDE_MEM_OPENROUTER_API_KEY',
      'claude-mem settings set CLAUDE_MEM_OPENAI_BASE_URL http://127.0.0.1:11434/v1',
    ]);
  });

  it('requires a model when the server is openai-compatible', () => {
    const address = { CLAUDE_MEM_OPENAI_BASE_URL: 'http://127.0.0.1:1/v1' };
    expect(missingForObserver('openai-compatible', given(address))).toMatchObject({ reason: 'has no model' });
    const settings = given({ ...address, CLAUDE_MEM_MODEL: 'qwen3:8b' });
    expect(missingForObserver('openai-compatible', settings)).toBeNull();
  });
});

describe('modelOfObserver', () => {
  const env = {
    CLAUDE_MEM_PROVIDER: 'gemini',
    CLAUDE_MEM_PROVIDER_FALLBACK: 'claude,local',
    CLAUDE_MEM_MODEL: 'first',
  };

  it('uses the common model only for the first observer', () => {
    const settings = given(env);
    expect(observerChain(settings).map((name) => modelOfObserver(name, settings))).toEqual(['first', '', '']);
  });

  it('prefers the model setting of the observer', () => {
    const settings = given({ ...env, CLAUDE_MEM_GEMINI_MODEL: 'g', CLAUDE_MEM_CLAUDE_MODEL: 'c' });
    expect(observerChain(settings).map((name) => modelOfObserver(name, settings))).toEqual(['g', 'c', '']);
  });
});
