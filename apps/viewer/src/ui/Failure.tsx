import { messageOf } from '@claude-mem/core';
import { CircleAlert, KeyRound } from 'lucide-react';
import { isSignedOut } from '../api/query-client.js';
import { Button } from './Button.js';
import { EmptyState } from './EmptyState.js';

/** What went wrong in the worker's own words, and what to do. */
export function Failure({ error, onRetry }: { error: unknown; onRetry?: () => void }) {
  if (isSignedOut(error))
    return (
      <EmptyState icon={KeyRound} title="This browser is not signed in">
        Run <code>claude-mem open</code> in a terminal: it opens this page signed in.
      </EmptyState>
    );
  return (
    <div role="alert">
      <EmptyState
        icon={CircleAlert}
        title={error instanceof TypeError ? 'The worker does not answer' : 'That did not work'}
        {...(onRetry === undefined ? {} : { actions: <Button onClick={onRetry}>Try again</Button> })}
      >
        {error instanceof TypeError ? (
          <>
            It may be restarting. Run <code>claude-mem status</code> to see, <code>claude-mem start</code> to
            start it.
          </>
        ) : (
          messageOf(error)
        )}
      </EmptyState>
    </div>
  );
}
