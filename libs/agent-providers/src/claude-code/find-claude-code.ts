import { locateClaudeCode, type LocateClaudeCodeOptions } from '@claude-mem/core/locate-claude-code';
import { ProviderError } from '../provider-error.js';

export type FindClaudeCodeOptions = Omit<LocateClaudeCodeOptions, 'home'>;

/**
 * Returns the path of the Claude Code program.
 * @throws ProviderError `provider/setup-required` when there is none
 */
export function findClaudeCode(options: FindClaudeCodeOptions): string {
  const { configured = '', env } = options;
  const found = locateClaudeCode({ ...options, home: env['HOME'] ?? env['USERPROFILE'] ?? '' });
  if (found !== null) return found;
  throw new ProviderError(
    'setup-required',
    configured === ''
      ? 'The claude-code observer finds no Claude Code: install it ("npm install -g @anthropic-ai/claude-code"), or set CLAUDE_CODE_PATH to its program.'
      : `The claude-code observer cannot run ${configured}: correct CLAUDE_CODE_PATH, or leave it empty to have Claude Code found.`,
  );
}
