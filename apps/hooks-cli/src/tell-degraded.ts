import type { SearchReply } from '@claude-mem/worker-protocol';
import type { CommandContext } from './command.js';

/** What decides how is searched. */
const ABOUT_SEARCH = /^CLAUDE_MEM_(EMBEDDER|VECTOR|CHROMA|SEMANTIC)/;

/** Says what an answer had to do without, unless the person chose that, and which settings of search mean nothing. */
export function tellDegraded(
  { terminal, loaded }: Pick<CommandContext, 'terminal' | 'loaded'>,
  degraded: SearchReply['degraded'],
): void {
  for (const problem of loaded.problems)
    if (!loaded.isFileUsable || ABOUT_SEARCH.test(problem)) terminal.complain(`Note: ${problem}`);
  const { vectorIndex, embedder } = loaded.settings;
  const isMeaningOff = vectorIndex === 'none' || embedder === 'none';
  for (const { part, reason } of degraded)
    if (!isMeaningOff || (part !== 'vectors' && part !== 'embedder'))
      terminal.complain(`Note: ${reason.replace(/\.$/, '')}.`);
}
