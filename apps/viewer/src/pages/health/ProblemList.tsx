import type { HealthDetail } from '@claude-mem/worker-protocol';
import { Link } from '@tanstack/react-router';
import { CircleX, Info, TriangleAlert } from 'lucide-react';
import { Command } from '../../ui/Command.js';
import { splitCommands } from './split-commands.js';

const SEVERITIES = {
  error: { icon: CircleX, tone: 'bad', words: 'Error' },
  warning: { icon: TriangleAlert, tone: 'warning', words: 'Warning' },
  info: { icon: Info, tone: undefined, words: 'Note' },
};

const PAGES = {
  settings: { to: '/settings', words: 'Open the settings' },
  queue: { to: '/queue', words: 'Open the queue' },
  usage: { to: '/usage', words: 'Open the usage' },
  logs: { to: '/logs', words: 'Open the logs' },
} as const;

/** Problems with suggested actions. Renders nothing without problems. */
export function ProblemList({ problems }: { problems: HealthDetail['problems'] }) {
  if (problems.length === 0) return null;
  return (
    <section className="stack gap-2" aria-labelledby="problems">
      <h2 id="problems">Problems</h2>
      <ul className="stack gap-2">
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
  const { icon: Icon, tone, words } = SEVERITIES[severity];
  const page = link === undefined ? null : PAGES[link];
  return (
    <li className="card stack gap-1" data-tone={tone}>
      <p className="tag">
        <Icon aria-hidden size={16} />
        {words}
      </p>
      <p>{message}</p>
      {action !== '' && (
        <p className="muted">
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
