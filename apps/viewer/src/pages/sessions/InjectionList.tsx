import type { SessionInjections } from '@claude-mem/worker-protocol';
import { Link } from '@tanstack/react-router';
import { counted } from '../../format/counted.js';
import { formatCount } from '../../format/format-number.js';
import { Card } from '../../ui/Card.js';
import { Moment } from '../../ui/Moment.js';
import { injectionTitle } from './injection-title.js';
import styles from './Session.module.css';

type Injection = SessionInjections['items'][number];

/** What was injected into a session, with a mark on each record of which a name was used afterwards. */
export function InjectionList({ injections }: { injections: readonly Injection[] }) {
  const records = injections.flatMap((one) => one.records);
  const known = records.filter(({ used }) => used !== null);
  const used = known.filter((record) => record.used!.length > 0);
  const tokens = injections.reduce((sum, one) => sum + one.tokens, 0);
  return (
    <Card title="Injected context">
      <div className={styles['injections']}>
        <p className={styles['quiet']}>
          {counted(injections.length, 'injection')}, about {formatCount(tokens)} tokens.{' '}
          {known.length > 0 &&
            `A named file or identifier was used afterwards for ${used.length} of ${counted(known.length, 'record')}. This does not prove that the record helped.`}
        </p>
        <ul className={styles['injections']}>
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
      <header className={styles['injection-head']}>
        <h3>{injectionTitle(injection)}</h3>
        <span className={styles['used']}>
          {formatCount(tokens)} tokens · <Moment epoch={createdAtEpoch} />
        </span>
      </header>
      <ul className={styles['injected']}>
        {records.map(({ id, title, used }) => (
          <li key={id}>
            <Link to="/observations/$id" params={{ id }}>
              {title ?? `Observation ${id}`}
            </Link>
            {used !== null && used.length > 0 && (
              <p className={styles['used']}>
                Used afterwards: <code>{used.join(', ')}</code>
              </p>
            )}
          </li>
        ))}
        {conversations > 0 && (
          <li className={styles['quiet']}>
            Statements of {counted(conversations, 'earlier conversation')} without a record
          </li>
        )}
        {forgotten > 0 && (
          <li className={styles['quiet']}>
            {counted(forgotten, 'record that no longer exists', 'records that no longer exist')}
          </li>
        )}
      </ul>
    </>
  );
}
