import { messageOf } from '@claude-mem/core';
import { CircleAlert, KeyRound } from 'lucide-react';
import { ModuleMissingError, reloadViewer } from '../api/load-module.js';
import { isSignedOut } from '../api/query-client.js';
import { useStreamEvent, useWorkerReturn } from '../api/use-stream.js';
import { Button } from './Button.js';
import { Command } from './Command.js';
import { EmptyState } from './EmptyState.js';

/** An error message and what to do. Retries automatically when the worker is reachable again. */
export function Failure({ error, onRetry }: { error: unknown; onRetry?: () => void }) {
  const recover = () => {
    if (error instanceof ModuleMissingError) void reloadViewer();
    else if (error instanceof TypeError) onRetry?.();
  };
  useWorkerReturn(recover);
  // a page without a stream only receives this event, at regular intervals
  useStreamEvent(({ type }) => {
    if (type === 'stream-reset') recover();
  });
  if (isSignedOut(error))
    return (
      <EmptyState icon={KeyRound} title="This browser is not signed in">
        Run <Command>open</Command> in a terminal: it opens this page signed in.
      </EmptyState>
    );
  if (error instanceof ModuleMissingError)
    return (
      <div role="alert">
        <EmptyState
          icon={CircleAlert}
          title="This page cannot be loaded"
          actions={<Button onClick={() => void reloadViewer()}>Try again</Button>}
        >
          The worker is restarting, or was updated while this page was open. <Command>status</Command> shows
          whether it runs.
        </EmptyState>
      </div>
    );
  return (
    <div role="alert">
      <EmptyState
        icon={CircleAlert}
        title={error instanceof TypeError ? 'The worker does not respond' : 'The request failed'}
        actions={onRetry && <Button onClick={onRetry}>Try again</Button>}
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
