import type { SearchReply } from '@claude-mem/worker-protocol';
import type { CommandContext } from './command.js';

/** Says what an answer had to do without, unless the person chose that. */
export function tellDegraded(
  { terminal, loaded }: Pick<CommandContext, 'terminal' | 'loaded'>,
  degraded: SearchReply['degraded'],
): void {
  const { vectorIndex, embedder } = loaded.settings;
  const isMeaningOff = vectorIndex === 'none' || embedder === 'none';
  for (const { part, reason } of degraded)
    if (!isMeaningOff || (part !== 'vectors' && part !== 'embedder'))
      terminal.complain(`Note: ${reason.replace(/\.$/, '')}.`);
}
