import { messageOf } from '@claude-mem/core';
import { CircleAlert, KeyRound } from 'lucide-react';
import { PartMissingError, reloadViewer } from '../api/load-part.js';
import { isSignedOut } from '../api/query-client.js';
import { Button } from './Button.js';
import { Command } from './Command.js';
import { EmptyState } from './EmptyState.js';

/** What went wrong in the worker's own words, and what to do. */
export function Failure({ error, onRetry }: { error: unknown; onRetry?: () => void }) {
  if (isSignedOut(error))
    return (
      <EmptyState icon={KeyRound} title="This browser is not signed in">
        Run <Command>open</Command> in a terminal: it opens this page signed in.
      </EmptyState>
    );
  if (error instanceof PartMissingError)
    return (
      <div role="alert">
        <EmptyState
          icon={CircleAlert}
          title="This page cannot be loaded"
          actions={<Button onClick={() => void reloadViewer()}>Try again</Button>}
        >
          The worker is restarting, or was updated while this was open. <Command>status</Command> says whether
          it runs.
        </EmptyState>
      </div>
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
            It may be restarting. Run <Command>status</Command> to see, <Command>start</Command> to start it.
          </>
        ) : (
          messageOf(error)
        )}
      </EmptyState>
    </div>
  );
}
