import { Sprout } from 'lucide-react';
import { Command } from '../ui/Command.js';
import { EmptyState } from '../ui/EmptyState.js';

/** Shown when the memory is empty: how to record the first session. */
export function EmptyMemory() {
  return (
    <EmptyState icon={Sprout} title="The memory is empty">
      <p>New records appear here instantly.</p>
      <ol className="stack gap-2 marked">
        <li>
          Connect your host, for example: <Command>install --host claude-code</Command>
        </li>
        <li>Start a session in the folder. Prompts appear instantly, and observations follow.</li>
        <li>
          Or save something yourself: <Command>{'remember "We deploy from main"'}</Command>
        </li>
      </ol>
    </EmptyState>
  );
}
