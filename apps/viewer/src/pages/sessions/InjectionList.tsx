import type { SessionInjections } from '@claude-mem/worker-protocol';
import { Link } from '@tanstack/react-router';
import { counted } from '../../format/counted.js';
import { formatCount } from '../../format/format-number.js';
import { Card } from '../../ui/Card.js';
import { Moment } from '../../ui/Moment.js';
import { injectionTitle } from './injection-title.js';

type Injection = SessionInjections['items'][number];

/** The injections of a session. Marks records of which a name was used afterwards. */
export function InjectionList({ injections }: { injections: readonly Injection[] }) {
  const records = injections.flatMap((one) => one.records);
  const known = records.filter(({ used }) => used !== null);
  const used = known.filter((record) => record.used!.length > 0);
  const tokens = injections.reduce((sum, one) => sum + one.tokens, 0);
  return (
    <Card title="Injected context">
      <div className="stack gap-3">
        <p className="muted">
          {counted(injections.length, 'injection')}, about {formatCount(tokens)} tokens.{' '}
          {known.length > 0 &&
            `A named file or identifier was used afterwards for ${used.length} of ${counted(known.length, 'record')}. This does not prove that the record helped.`}
        </p>
        <ul className="stack gap-3">
          {injections.map((injection) => (
            <li key={injection.id}>
              <OneInjection injection={injection} />
            </li>
          ))}
        </ul>
      </div>
    </Card>
  );
}

function OneInjection({ injection }: { injection: Injection }) {
  const { records, conversations, forgotten, tokens, createdAtEpoch } = injection;
  return (
    <>
      <header className="row between baseline">
        <h3>{injectionTitle(injection)}</h3>
        <span className="muted small">
          {formatCount(tokens)} tokens · <Moment epoch={createdAtEpoch} />
        </span>
      </header>
      <ul className="stack gap-1">
        {records.map(({ id, title, used }) => (
          <li key={id}>
            <Link to="/observations/$id" params={{ id }}>
              {title ?? `Observation ${id}`}
            </Link>
            {used !== null && used.length > 0 && (
              <p className="muted small">
                Used afterwards: <code>{used.join(', ')}</code>
              </p>
            )}
          </li>
        ))}
        {conversations > 0 && (
          <li className="muted">
            Statements of {counted(conversations, 'earlier conversation')} without a record
          </li>
        )}
        {forgotten > 0 && (
          <li className="muted">
            {counted(forgotten, 'record that no longer exists', 'records that no longer exist')}
          </li>
        )}
      </ul>
    </>
  );
}
