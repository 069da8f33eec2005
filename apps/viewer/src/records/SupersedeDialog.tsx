import { messageOf, type Observation } from '@claude-mem/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useId, useState, type SubmitEvent } from 'react';
import { worker } from '../api/worker.js';
import { formatMoment } from '../format/format-time.js';
import { Button } from '../ui/Button.js';
import { Modal } from '../ui/Modal.js';
import { notices } from '../ui/notices.js';
import { TypeBadge } from '../ui/TypeBadge.js';
import { recordActions } from './record-actions.js';
import styles from './SupersedeDialog.module.css';

const MAX_CANDIDATES = 8;

/** Selects the observation that supersedes this one, by search or by id. */
export function SupersedeDialog({ observation, onClose }: { observation: Observation; onClose: () => void }) {
  const [text, setText] = useState(observation.title ?? '');
  const [chosen, setChosen] = useState<number | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const { data: candidates, error } = useCandidates(observation, text);
  const inputId = useId();
  const groupName = useId();
  const selected = candidates?.some(({ id }) => id === chosen) ? chosen : null;

  const set = async (supersededBy: number | null) => {
    setFailure(null);
    try {
      const { notes: _, ...changed } = await worker.editObservation({
        params: { id: observation.id },
        body: { supersededBy },
      });
      recordActions.applyChange(changed);
      notices.add({
        title:
          supersededBy === null
            ? `#${observation.id} is no longer superseded`
            : `#${observation.id} is superseded`,
        ...(supersededBy === null ? {} : { description: `#${supersededBy} replaces it.` }),
      });
      onClose();
    } catch (problem) {
      setFailure(messageOf(problem));
    }
  };

  return (
    <Modal title={`Supersede #${observation.id}`} onClose={onClose}>
      <form
        className="stack gap-3"
        onSubmit={(event: SubmitEvent) => {
          event.preventDefault();
          if (selected !== null) void set(selected);
        }}
      >
        {observation.supersededBy !== null && (
          <p className="row between">
            Superseded by #{observation.supersededBy}.
            <Button type="button" onClick={() => void set(null)}>
              Remove replacement
            </Button>
          </p>
        )}
        <label htmlFor={inputId}>Search for the new observation, or enter its id</label>
        <input
          id={inputId}
          type="search"
          value={text}
          onChange={(event) => setText(event.target.value)}
          autoComplete="off"
          spellCheck={false}
          maxLength={2_000}
        />
        <fieldset className={`stack gap-1 muted ${styles['offered']}`}>
          <legend className="visually-hidden">Found in the same project</legend>
          {candidates?.length === 0 && <p>No other observation of this project matches.</p>}
          {candidates?.map(({ id, type, title, subtitle, createdAtEpoch }) => (
            <label key={id} className="check" title={formatMoment(createdAtEpoch)}>
              <input type="radio" name={groupName} checked={id === selected} onChange={() => setChosen(id)} />
              <span>
                <span className="muted">#{id}</span> {title ?? subtitle ?? 'Untitled'}{' '}
                <TypeBadge type={type} />
              </span>
            </label>
          ))}
        </fieldset>
        {(failure !== null || error !== null) && (
          <p className="danger small" role="alert">
            {failure ?? messageOf(error)}
          </p>
        )}
        <div className="row right">
          <Button type="button" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" variant="primary" disabled={selected === null} focusableWhenDisabled>
            {selected === null ? 'Supersede' : `Replace by #${selected}`}
          </Button>
        </div>
      </form>
    </Modal>
  );
}

function useCandidates({ id, projectId }: Observation, text: string) {
  const named = /^\s*#?(\d{1,15})\s*$/.exec(text)?.[1];
  const projects = useQuery({
    queryKey: ['listProjects', {}],
    queryFn: ({ signal }) => worker.listProjects({}, { signal }),
  });
  const project = projects.data?.items.find((one) => one.id === projectId)?.key;
  return useQuery({
    queryKey: ['offered', { id, named, project, text: named === undefined ? text.trim() : '' }],
    enabled: named !== undefined || project !== undefined,
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) => {
      const found =
        named === undefined
          ? (await worker.search({ query: queryOf(text, project ?? '') }, { signal })).items.flatMap((hit) =>
              hit.kind === 'observation' ? [hit.item] : [],
            )
          : (await worker.listObservations({ query: { ids: named } }, { signal })).items;
      return found.filter((one) => one.id !== id && one.supersededBy === null).slice(0, MAX_CANDIDATES);
    },
  });
}

const queryOf = (text: string, project: string) => ({
  ...(text.trim() === '' ? {} : { query: text.trim() }),
  project: [project],
  limit: MAX_CANDIDATES + 4,
});
