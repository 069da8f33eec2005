import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Eraser } from 'lucide-react';
import { worker } from '../../api/worker.js';
import { recordActions } from '../../records/record-actions.js';
import { Button } from '../../ui/Button.js';
import { EmptyState } from '../../ui/EmptyState.js';
import { Page } from '../../ui/Page.js';
import { SecondsLeft } from '../../ui/SecondsLeft.js';

/** Shown instead of an observation that does not exist. Offers to restore a forgotten one until the undo time ends. */
export function Forgotten({ id }: { id: number }) {
  const { data, refetch } = useQuery({
    queryKey: ['listForgotten', {}],
    queryFn: ({ signal }) => worker.listForgotten({}, { signal }),
    staleTime: 0,
  });
  const undoable = data?.items.find(({ titles }) => titles.some((one) => one.id === id));
  return (
    <Page title={`#${id}`}>
      <EmptyState
        icon={Eraser}
        title={undoable === undefined ? `There is no observation #${id}` : `#${id} was forgotten`}
        actions={
          undoable && (
            <Button variant="primary" onClick={() => void recordActions.undo(undoable.forgetId)}>
              Undo
            </Button>
          )
        }
      >
        {undoable === undefined ? (
          <>
            It may have been forgotten. <Link to="/">Go to the feed</Link>
          </>
        ) : (
          <SecondsLeft untilEpoch={undoable.finalAtEpoch} onEnd={() => void refetch()} />
        )}
      </EmptyState>
    </Page>
  );
}
