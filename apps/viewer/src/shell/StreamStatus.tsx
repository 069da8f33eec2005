import { useStreamState } from '../api/use-stream.js';
import styles from './StreamStatus.module.css';

const WORDS = { connecting: 'Connecting', live: 'Live', away: 'Worker away' } as const;

export function StreamStatus() {
  const state = useStreamState();
  return (
    <span className={styles['status']} data-state={state} role="status">
      <span className={styles['dot']} aria-hidden />
      <span className={styles['words']}>{WORDS[state]}</span>
    </span>
  );
}
