import { ProviderError } from '@claude-mem/agent-providers';
import { describe, expect, it } from 'vitest';
import { classifyFailure } from './classify-failure.js';

describe('classifyFailure', () => {
  it('uses the classification of the provider, and never quotes unknown errors', () => {
    expect(classifyFailure(new ProviderError('rate-limited', 'Slow down.', { retryAfterMs: 5 }))).toEqual({
      message: 'Slow down.',
      retryable: true,
      retryAfterMs: 5,
      scope: 'provider',
    });
    expect(classifyFailure(new ProviderError('bad-reply', 'Prose.')).scope).toBe('batch');
    expect(classifyFailure(new ProviderError('setup-required', 'No key.'))).toMatchObject({
      retryable: false,
      scope: 'provider',
    });
    const gone = Object.assign(new Error('Cannot find module'), { code: 'ERR_MODULE_NOT_FOUND' });
    expect(classifyFailure(gone)).toMatchObject({ retryable: true, scope: 'provider' });
    expect(classifyFailure(new Error('the prompt was hunter2')).message).not.toContain('hunter2');
  });
});
