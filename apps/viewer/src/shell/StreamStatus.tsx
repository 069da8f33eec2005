import type { StreamState } from '../api/stream.js';
import { useStreamState } from '../api/use-stream.js';
import styles from './StreamStatus.module.css';

const STATE_LABELS: Record<StreamState, { short: string; long: string }> = {
  connecting: { short: 'Connecting', long: 'Connecting to the worker' },
  live: { short: 'Live', long: 'New records appear here instantly' },
  away: { short: 'Disconnected', long: 'The worker does not respond. The viewer keeps trying' },
  'signed-out': { short: 'Signed out', long: 'Run claude-mem open in a terminal' },
  full: {
    short: 'Not live',
    long: 'Too many tabs show the viewer. Close some of them. Until then, this tab is updated every ten seconds.',
  },
};

const TONES: Record<StreamState, string | undefined> = {
  connecting: undefined,
  live: 'good',
  away: 'warning',
  'signed-out': 'warning',
  full: 'warning',
};

export function StreamStatus() {
  const state = useStreamState();
  return (
    <span
      className={`row nowrap end muted small ${styles['status']}`}
      data-state={state}
      data-tone={TONES[state]}
      role="status"
      title={STATE_LABELS[state].long}
    >
      <span className={styles['dot']} aria-hidden />
      <span className={styles['words']}>{STATE_LABELS[state].short}</span>
    </span>
  );
}
