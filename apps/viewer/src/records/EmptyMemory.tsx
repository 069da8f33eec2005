import { Sprout } from 'lucide-react';
import { Command } from '../ui/Command.js';
import { EmptyState } from '../ui/EmptyState.js';
import styles from './EmptyMemory.module.css';

/** Nothing is stored: how something comes in. */
export function EmptyMemory() {
  return (
    <EmptyState icon={Sprout} title="The memory is empty">
      <p>New records appear here while you work.</p>
      <ol className={styles['steps']}>
        <li>
          Connect a host, if you have not yet, this one or yours:{' '}
          <Command>install --host claude-code</Command>
        </li>
        <li>Start a session in the folder. Prompts appear at once, and observations follow.</li>
        <li>
          Or save something yourself: <Command>{'remember "We deploy from main"'}</Command>
        </li>
      </ol>
    </EmptyState>
  );
}
