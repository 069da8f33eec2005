import type { HealthDetail } from '@claude-mem/worker-protocol';
import { Link } from '@tanstack/react-router';
import { CircleX, Info, TriangleAlert } from 'lucide-react';
import { Command } from '../../ui/Command.js';
import { splitCommands } from './split-commands.js';
import styles from './HealthPage.module.css';

const SEVERITIES = {
  error: { icon: CircleX, words: 'Wrong' },
  warning: { icon: TriangleAlert, words: 'Warning' },
  info: { icon: Info, words: 'To know' },
};

const PAGES = {
  settings: { to: '/settings', words: 'Open the settings' },
  queue: { to: '/queue', words: 'Open the queue' },
  usage: { to: '/usage', words: 'Open the usage' },
  logs: { to: '/logs', words: 'Open the logs' },
} as const;

/** Each problem with what to do about it; nothing when there is none. */
export function ProblemList({ problems }: { problems: HealthDetail['problems'] }) {
  if (problems.length === 0) return null;
  return (
    <section aria-labelledby="problems">
      <h2 id="problems" className={styles['heading']}>
        What needs attention
      </h2>
      <ul className={styles['problems']}>
        {problems.map((problem) => (
          <Problem key={`${problem.code}\n${problem.message}`} problem={problem} />
        ))}
      </ul>
    </section>
  );
}

function Problem({
  problem: { severity, message, action, link },
}: {
  problem: HealthDetail['problems'][number];
}) {
  const { icon: Icon, words } = SEVERITIES[severity];
  const page = link === undefined ? null : PAGES[link];
  return (
    <li className={styles['problem']} data-severity={severity}>
      <p className={styles['severity']}>
        <Icon aria-hidden size={16} />
        {words}
      </p>
      <p>{message}</p>
      {action !== '' && (
        <p className={styles['action']}>
          {splitCommands(action).map(({ kind, text }, index) =>
            kind === 'text' ? (
              <span key={index}>{text}</span>
            ) : (
              <Command key={index}>{text.slice('claude-mem '.length)}</Command>
            ),
          )}
        </p>
      )}
      {page !== null && <Link to={page.to}>{page.words}</Link>}
    </li>
  );
}
