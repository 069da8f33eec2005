import type { Session } from '@claude-mem/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { ArrowDownUp } from 'lucide-react';
import { useMemo, useState } from 'react';
import { counted } from '../../format/counted.js';
import { RecordCard } from '../../records/RecordCard.js';
import { recordKey } from '../../records/describe-record.js';
import { Button } from '../../ui/Button.js';
import { Moment } from '../../ui/Moment.js';
import { NoAnswer } from '../../ui/NoAnswer.js';
import { LoadMoreWhenVisible } from '../../ui/LoadMoreWhenVisible.js';
import { PromptText } from './PromptText.js';
import { sessionRecordsQuery, type Order } from './session-query.js';
import { turnsOf, type Turn } from './turns.js';

/** The turns of a session, oldest or newest first. More turns are loaded on scroll. */
export function TurnList({ session, waiting }: { session: Session; waiting: number }) {
  const [order, setOrder] = useState<Order>('oldest');
  const query = useInfiniteQuery(sessionRecordsQuery(session.id, order));
  const turns = useMemo(
    () => turnsOf(query.data?.pages.flatMap(({ items }) => items) ?? [], order),
    [query.data, order],
  );
  return (
    <section className="stack gap-5" aria-label="Turns">
      <header className="row between">
        <h2>Turns</h2>
        {session.promptCounter > 1 && (
          <Button variant="quiet" onClick={() => setOrder(order === 'oldest' ? 'newest' : 'oldest')}>
            <ArrowDownUp aria-hidden size={14} />
            {order === 'oldest' ? 'Newest turn first' : 'Oldest turn first'}
          </Button>
        )}
      </header>
      {query.data === undefined && <NoAnswer query={query} />}
      {turns.map((turn) => (
        <OneTurn key={turn.number} turn={turn} />
      ))}
      <LoadMoreWhenVisible query={query} />
      {waiting > 0 && (
        <p className="muted">
          {counted(waiting, 'message')} not processed yet. New observations appear here instantly.
        </p>
      )}
      {query.data !== undefined && turns.length === 0 && waiting === 0 && (
        <p className="muted">No records of this session.</p>
      )}
    </section>
  );
}

function OneTurn({ turn: { number, prompt, observations, summaries } }: { turn: Turn }) {
  const id = `turn-${number}`;
  const records = [...observations, ...summaries];
  const beganAt = prompt?.createdAtEpoch ?? records[0]?.item.createdAtEpoch;
  return (
    <section className="stack gap-2 lazy" aria-labelledby={id}>
      <header className="row between baseline">
        <h3 id={id}>{number === 0 ? 'Without a prompt' : `Turn ${number}`}</h3>
        {beganAt !== undefined && (
          <span className="muted small">
            <Moment epoch={beganAt} />
          </span>
        )}
      </header>
      {prompt !== null && <PromptText text={prompt.promptText} />}
      {records.length > 0 && (
        <ul className="stack gap-2">
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
