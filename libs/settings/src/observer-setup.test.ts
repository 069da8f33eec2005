import { OBSERVER_NAMES } from '@claude-mem/core';
import { describe, expect, it } from 'vitest';
import { loadSettings, missingForObserver, modelOfObserver, observerChain } from './index.js';

const given = (env: Record<string, string>) =>
  loadSettings({ env, home: '/home/none', readFile: () => '' }).settings;

describe('observerChain', () => {
  it('is local when nothing is set', () => {
    expect(observerChain(given({}))).toEqual(['local']);
  });

  it('auto takes the first with a key or an address, in a fixed order', () => {
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

  it('auto never spends the plan of claude-code', () => {
    expect(observerChain(given({ CLAUDE_CODE_PATH: '/usr/bin/claude' }))).toEqual(['local']);
  });

  it('has the fallbacks behind it, each once', () => {
    const settings = given({
      CLAUDE_MEM_PROVIDER: 'gemini',
      CLAUDE_MEM_PROVIDER_FALLBACK: 'openrouter, gemini,local',
    });
    expect(observerChain(settings)).toEqual(['gemini', 'openrouter', 'local']);
  });

  it('does not take a fallback that is no observer', () => {
    const env = { CLAUDE_MEM_PROVIDER_FALLBACK: 'claud,local' };
    const { settings, problems } = loadSettings({ env, home: '/home/none', readFile: () => '' });
    expect(settings.providerFallback).toEqual([]);
    expect(problems).toEqual([
      `CLAUDE_MEM_PROVIDER_FALLBACK in the environment is not a list of ${OBSERVER_NAMES.join(', ')}; it is ignored.`,
    ]);
  });
});

describe('missingForObserver', () => {
  it('names the command that helps, never with a place for a key in it', () => {
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

  it('an own server needs to be told the model', () => {
    const address = { CLAUDE_MEM_OPENAI_BASE_URL: 'http://127.0.0.1:1/v1' };
    expect(missingForObserver('openai-compatible', given(address))).toMatchObject({ what: 'has no model' });
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

  it('the common setting is for the first observer only', () => {
    const settings = given(env);
    expect(observerChain(settings).map((name) => modelOfObserver(name, settings))).toEqual(['first', '', '']);
  });

  it('the own setting of an observer wins', () => {
    const settings = given({ ...env, CLAUDE_MEM_GEMINI_MODEL: 'g', CLAUDE_MEM_CLAUDE_MODEL: 'c' });
    expect(observerChain(settings).map((name) => modelOfObserver(name, settings))).toEqual(['g', 'c', '']);
  });
});
