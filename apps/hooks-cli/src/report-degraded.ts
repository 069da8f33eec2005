import type { SearchReply } from '@claude-mem/worker-protocol';
import type { CommandContext } from './command.js';

/** Settings that affect search. */
const SEARCH_SETTINGS = /^CLAUDE_MEM_(EMBEDDER|VECTOR|CHROMA|SEMANTIC)/;

/** Prints why a search was degraded, unless the user disabled that part, and which search settings are invalid. */
export function reportDegraded(
  { terminal, loaded }: Pick<CommandContext, 'terminal' | 'loaded'>,
  degraded: SearchReply['degraded'],
): void {
  for (const problem of loaded.problems)
    if (!loaded.isFileUsable || SEARCH_SETTINGS.test(problem)) terminal.warn(`Note: ${problem}`);
  const { vectorIndex, embedder } = loaded.settings;
  const isSemanticSearchOff = vectorIndex === 'none' || embedder === 'none';
  for (const { part, reason } of degraded)
    if (!isSemanticSearchOff || (part !== 'vectors' && part !== 'embedder'))
      terminal.warn(`Note: ${reason.replace(/\.$/, '')}.`);
}
