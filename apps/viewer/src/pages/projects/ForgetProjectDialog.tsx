import type { Project } from '@claude-mem/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { counted } from '../../format/counted.js';
import { forgetPreview } from '../../records/forget-preview.js';
import { recordActions, UNDO_SECONDS } from '../../records/record-actions.js';
import { Button } from '../../ui/Button.js';
import { Failure } from '../../ui/Failure.js';
import { Modal } from '../../ui/Modal.js';

/** Shows what is deleted with a project. The user must type its name to confirm. */
export function ForgetProjectDialog({ project, onClose }: { project: Project; onClose: () => void }) {
  const navigate = useNavigate();
  const [typed, setTyped] = useState('');
  const { data, error, refetch } = useQuery(forgetPreview({ project: project.key }));
  const isReady = data !== undefined && typed.trim() === project.name;
  const forget = async () => {
    onClose();
    if (await recordActions.forgetProject(project)) void navigate({ to: '/projects' });
  };
  return (
    <Modal title="Forget this project" onClose={onClose}>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          if (isReady) void forget();
        }}
      >
        {error !== null && <Failure error={error} onRetry={() => void refetch()} />}
        <p>
          {data === undefined ? (
            error === null && 'Counting the records.'
          ) : (
            <>
              {counted(data.observations, 'observation')}, {counted(data.summaries, 'summary', 'summaries')}{' '}
              and {counted(data.prompts, 'prompt')} of {counted(data.sessions, 'session')} will be forgotten.
            </>
          )}{' '}
          You can undo this for {UNDO_SECONDS} seconds. The folder itself is not touched.
        </p>
        <label className="stack gap-2">
          <span>
            Type <strong>{project.name}</strong> to confirm
          </span>
          <input
            value={typed}
            onChange={({ target }) => setTyped(target.value)}
            autoComplete="off"
            spellCheck={false}
          />
        </label>
        <div className="row right">
          <Button type="button" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" variant="danger" disabled={!isReady}>
            Forget the project
          </Button>
        </div>
      </form>
    </Modal>
  );
}
