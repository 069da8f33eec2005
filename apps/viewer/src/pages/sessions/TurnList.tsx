import type { Session } from '@claude-mem/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { ArrowDownUp } from 'lucide-react';
import { useMemo, useState } from 'react';
import { counted } from '../../format/counted.js';
import { RecordCard } from '../../records/RecordCard.js';
import { recordKey } from '../../records/record-words.js';
import { Button } from '../../ui/Button.js';
import { Moment } from '../../ui/Moment.js';
import { NoAnswer } from '../../ui/NoAnswer.js';
import { MoreOnSight } from '../../ui/MoreOnSight.js';
import { PromptText } from './PromptText.js';
import { sessionRecordsQuery, type Order } from './session-query.js';
import { turnsOf, type Turn } from './turns.js';
import styles from './Session.module.css';

/** A session turn by turn, from the first on or back from the latest; more is read as one gets there. */
export function TurnList({ session, waiting }: { session: Session; waiting: number }) {
  const [order, setOrder] = useState<Order>('oldest');
  const query = useInfiniteQuery(sessionRecordsQuery(session.id, order));
  const turns = useMemo(
    () => turnsOf(query.data?.pages.flatMap(({ items }) => items) ?? [], order),
    [query.data, order],
  );
  return (
    <section className={styles['turns']} aria-label="Turns">
      <header className={styles['turns-head']}>
        <h2>Turns</h2>
        {session.promptCounter > 1 && (
          <Button look="quiet" onClick={() => setOrder(order === 'oldest' ? 'newest' : 'oldest')}>
            <ArrowDownUp aria-hidden size={14} />
            {order === 'oldest' ? 'Latest turn first' : 'First turn first'}
          </Button>
        )}
      </header>
      {query.data === undefined && <NoAnswer query={query} />}
      {turns.map((turn) => (
        <OneTurn key={turn.number} turn={turn} />
      ))}
      <MoreOnSight query={query} />
      {waiting > 0 && (
        <p className={styles['quiet']}>
          {counted(waiting, 'message')} still waiting for the observer: what it learns from them appears here.
        </p>
      )}
      {query.data !== undefined && turns.length === 0 && waiting === 0 && (
        <p className={styles['quiet']}>Nothing was recorded of this session.</p>
      )}
    </section>
  );
}

function OneTurn({ turn: { number, prompt, observations, summaries } }: { turn: Turn }) {
  const id = `turn-${number}`;
  const records = [...observations, ...summaries];
  const beganAt = prompt?.createdAtEpoch ?? records[0]?.item.createdAtEpoch;
  return (
    <section className={styles['turn']} aria-labelledby={id}>
      <header className={styles['turn-head']}>
        <h3 id={id}>{number === 0 ? 'Without a prompt' : `Turn ${number}`}</h3>
        {beganAt !== undefined && <Moment epoch={beganAt} />}
      </header>
      {prompt !== null && <PromptText text={prompt.promptText} />}
      {records.length > 0 && (
        <ul className={styles['records']}>
          {records.map((entry) => (
            <li key={recordKey(entry)}>
              <RecordCard entry={entry} hasDay={false} hasOrigin={false} />
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
