import { useQuery } from '@tanstack/react-query';
import { healthQuery } from '../api/health-query.js';
import styles from './Command.module.css';
import { CopyButton } from './CopyButton.js';

/**
 * A command of claude-mem as it can be typed anywhere: by its whole path, which needs no `PATH`. Where the worker cannot be
 * asked for that it is the usual one.
 */
export function Command({ children: words }: { children: string }) {
  const { data } = useQuery(healthQuery);
  const program =
    data === undefined ? '~/.claude-mem/bin/claude-mem' : shellWord(`${data.dataDir}/bin/claude-mem`);
  const text = `${program} ${words}`;
  return (
    <span className={styles['command']}>
      <code>{text}</code>
      <CopyButton text={text} label={`claude-mem ${words}`} />
    </span>
  );
}

const shellWord = (path: string) => (/^[\w/.-]+$/.test(path) ? path : `'${path.replaceAll("'", `'\\''`)}'`);
