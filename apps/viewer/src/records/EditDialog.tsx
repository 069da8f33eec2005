import { OBSERVATION_TYPES, messageOf, type Observation } from '@claude-mem/core';
import { useId, useState, type SubmitEvent } from 'react';
import { useStreamEvent } from '../api/use-stream.js';
import { worker } from '../api/worker.js';
import { Button } from '../ui/Button.js';
import { Modal } from '../ui/Modal.js';
import { notices } from '../ui/notices.js';
import {
  carryOver,
  changesOf,
  conflictsOf,
  LIST_FIELDS,
  problemsOf,
  TEXT_FIELDS,
  toForm,
  type EditForm,
  type FieldName,
} from './edit-form.js';
import { recordActions } from './record-actions.js';

/** Edits all fields of an observation. Changes that were made elsewhere are not overwritten without confirmation. */
export function EditDialog({ observation, onClose }: { observation: Observation; onClose: () => void }) {
  const [before, setBefore] = useState(observation);
  const [form, setForm] = useState(() => toForm(observation));
  const [theirs, setTheirs] = useState<Observation | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const [isSaving, setSaving] = useState(false);
  const { id } = observation;
  const problems = problemsOf(form);
  const conflicts = theirs === null ? [] : conflictsOf(before, { now: theirs, form });
  const changes = changesOf(before, form);
  const hasChanges = Object.keys(changes).length > 0;

  /** Merges changes that were made elsewhere into the form. Returns false when they conflict with it. */
  const mergeChanges = (now: Observation): boolean => {
    if (now.updatedAtEpoch === before.updatedAtEpoch) return true;
    if (conflictsOf(before, { now, form }).length > 0) {
      setTheirs(now);
      return false;
    }
    setForm(carryOver(before, { now, form }));
    setBefore(now);
    return true;
  };

  useStreamEvent((event) => {
    if (event.type === 'observation-updated' && event.data.item.id === id && !isSaving)
      mergeChanges(event.data.item);
    if (event.type === 'memory-forgotten' && event.data.observationIds.includes(id))
      setFailure('The observation was forgotten elsewhere.');
  });

  const settle = (fields: { theirs: readonly FieldName[] }) => {
    if (theirs === null) return;
    setForm(carryOver(before, { now: theirs, form, ...fields }));
    setBefore(theirs);
    setTheirs(null);
  };

  const save = async (event: SubmitEvent) => {
    event.preventDefault();
    setSaving(true);
    setFailure(null);
    try {
      const now = await worker.getObservation({ params: { id } });
      if (!mergeChanges(now)) return;
      const body = { ...editOf(changes), ifUpdatedAtEpoch: now.updatedAtEpoch };
      const { notes, ...saved } = await worker.editObservation({ params: { id }, body });
      recordActions.applyChange(saved);
      notices.add({ title: `#${id} saved`, ...(notes.length === 0 ? {} : { description: notes.join(' ') }) });
      onClose();
    } catch (error) {
      setFailure(messageOf(error));
    } finally {
      setSaving(false);
    }
  };

  const field = (name: FieldName) => ({
    form,
    name,
    problem: problems[name],
    onChange: (text: string) => setForm({ ...form, [name]: text }),
  });

  return (
    <Modal title={`Edit #${id}`} onClose={onClose}>
      <form className="stack gap-3" onSubmit={(event) => void save(event)}>
        <TypeField {...field('type')} />
        <TextField {...field('title')} />
        <TextField {...field('subtitle')} />
        <TextField {...field('narrative')} rows={7} />
        <TextField {...field('facts')} rows={4} />
        <TextField {...field('concepts')} rows={2} />
        <TextField {...field('filesModified')} rows={2} />
        <TextField {...field('filesRead')} rows={2} />
        {theirs !== null && conflicts.length > 0 && (
          <Conflict
            fields={conflicts}
            theirs={toForm(theirs)}
            onMine={() => settle({ theirs: [] })}
            onTheirs={() => settle({ theirs: conflicts })}
          />
        )}
        {failure !== null && (
          <p className="danger small" role="alert">
            {failure}
          </p>
        )}
        <div className="row right">
          <Button type="button" onClick={onClose}>
            Cancel
          </Button>
          <Button
            type="submit"
            variant="primary"
            disabled={!hasChanges || isSaving || conflicts.length > 0 || Object.keys(problems).length > 0}
            focusableWhenDisabled
          >
            Save
          </Button>
        </div>
      </form>
    </Modal>
  );
}

interface FieldProps {
  form: EditForm;
  name: FieldName;
  problem: string | undefined;
  onChange: (text: string) => void;
}

function TypeField({ form, name, problem, onChange }: FieldProps) {
  const types = OBSERVATION_TYPES.some((type) => type === form[name])
    ? OBSERVATION_TYPES
    : [form[name], ...OBSERVATION_TYPES];
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>{labelOf(name)}</label>
      <select
        id={id}
        value={form[name]}
        onChange={(event) => onChange(event.target.value)}
        aria-invalid={problem !== undefined}
      >
        {types.map((type) => (
          <option key={type}>{type}</option>
        ))}
      </select>
    </div>
  );
}

function TextField({ form, name, problem, onChange, rows = 1 }: FieldProps & { rows?: number }) {
  const id = useId();
  const isList = name in LIST_FIELDS;
  return (
    <div className="field">
      <label htmlFor={id}>
        {labelOf(name)}
        {isList && ', one per line'}
      </label>
      <textarea
        id={id}
        rows={rows}
        value={form[name]}
        onChange={(event) =>
          onChange(rows === 1 ? event.target.value.replace(/\s*\n\s*/g, ' ') : event.target.value)
        }
        onKeyDown={(event) => {
          const isSubmit = event.key === 'Enter' && (rows === 1 || event.ctrlKey || event.metaKey);
          if (!isSubmit) return;
          event.preventDefault();
          event.currentTarget.form?.requestSubmit();
        }}
        spellCheck={!isList}
        aria-invalid={problem !== undefined}
        aria-describedby={problem === undefined ? undefined : `${id}-problem`}
      />
      {problem !== undefined && (
        <p id={`${id}-problem`} className="danger small" role="status">
          {problem}
        </p>
      )}
    </div>
  );
}

function Conflict({
  fields,
  theirs,
  onMine,
  onTheirs,
}: {
  fields: readonly FieldName[];
  theirs: EditForm;
  onMine: () => void;
  onTheirs: () => void;
}) {
  return (
    <section className="notice stack gap-2" role="alert" aria-label="Changed elsewhere">
      <h3>Changed elsewhere</h3>
      <dl className="facts pre">
        {fields.map((name) => (
          <div key={name}>
            <dt>{labelOf(name)}</dt>
            <dd>{theirs[name] || 'empty'}</dd>
          </div>
        ))}
      </dl>
      <div className="row">
        <Button type="button" onClick={onMine}>
          Keep mine
        </Button>
        <Button type="button" onClick={onTheirs}>
          Take theirs
        </Button>
      </div>
    </section>
  );
}

const labelOf = (name: FieldName) => ({ ...TEXT_FIELDS, ...LIST_FIELDS })[name].label;

/** The request type has mutable arrays. */
function editOf({ facts, concepts, filesRead, filesModified, ...texts }: ReturnType<typeof changesOf>) {
  return {
    ...texts,
    ...(facts === undefined ? {} : { facts: [...facts] }),
    ...(concepts === undefined ? {} : { concepts: [...concepts] }),
    ...(filesRead === undefined ? {} : { filesRead: [...filesRead] }),
    ...(filesModified === undefined ? {} : { filesModified: [...filesModified] }),
  };
}
