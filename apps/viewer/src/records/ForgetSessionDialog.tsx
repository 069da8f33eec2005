import type { Session } from '@claude-mem/core';
import { useQuery } from '@tanstack/react-query';
import { counted } from '../format/counted.js';
import { Button } from '../ui/Button.js';
import { Failure } from '../ui/Failure.js';
import { Modal } from '../ui/Modal.js';
import { forgetPreview } from './forget-preview.js';
import { recordActions, UNDO_SECONDS } from './record-actions.js';

/** Shows what is deleted with a session, and asks for confirmation. */
export function ForgetSessionDialog({ session, onClose }: { session: Session; onClose: () => void }) {
  const { data, error, refetch } = useQuery(forgetPreview({ session: String(session.id) }));
  const forget = () => {
    onClose();
    void recordActions.forgetSession(session);
  };
  return (
    <Modal title="Forget this session" onClose={onClose}>
      {error !== null && <Failure error={error} onRetry={() => void refetch()} />}
      <p>
        {data === undefined
          ? error === null && 'Counting the records. '
          : `${counted(data.observations, 'observation')}, ${counted(data.summaries, 'summary', 'summaries')} and ${counted(data.prompts, 'prompt')} will be forgotten. `}
        You can undo this for {UNDO_SECONDS} seconds.
      </p>
      <div className="row right">
        <Button onClick={onClose}>Cancel</Button>
        <Button variant="danger" disabled={data === undefined} onClick={forget}>
          Forget the session
        </Button>
      </div>
    </Modal>
  );
}
