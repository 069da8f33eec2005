import { HOST_NAMES, type HostName } from '@claude-mem/core';
import type { ProjectRow } from '@claude-mem/worker-protocol';
import { useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { Button } from '../../ui/Button.js';
import { useDebounced } from '../../ui/use-debounced.js';
import { filesQuery } from '../files/files-query.js';
import { hostLabel } from '../../format/host-label.js';
import { contextDraft } from './context-draft.js';
import { MOMENTS, type ContextQuestion, type Moment } from './context-question.js';

const MOMENT_LABELS: Record<Moment, string> = {
  start: 'A session starts',
  prompt: 'A prompt is sent',
  file: 'A file is read',
};
/** Value of the choice for another folder. A path never starts with a line break. */
const OTHER = '\n';
const HOSTS = HOST_NAMES.filter((host) => host !== 'import' && host !== 'manual');

type Question = Omit<ContextQuestion, 'requestedSettings'>;
type Choose = (choice: { cwd?: string; moment?: Moment; host?: HostName }) => void;

/** Fields for the project, the host and the moment of the preview. */
export function ContextQuestionForm({
  projects,
  question,
  onChoose,
}: {
  projects: readonly ProjectRow[];
  question: Question;
  onChoose: Choose;
}) {
  const { moment, host, prompt } = question;
  const id = useId();
  return (
    <section className="row bottom gap-4" aria-label="When and where">
      <FolderChoice projects={projects} cwd={question.cwd} onChoose={onChoose} />
      <fieldset>
        <legend>When</legend>
        <div className="choice">
          {MOMENTS.map((one) => (
            <label key={one}>
              <input
                type="radio"
                name={`${id}-moment`}
                className="visually-hidden"
                checked={one === moment}
                onChange={() => onChoose({ moment: one })}
              />
              {MOMENT_LABELS[one]}
            </label>
          ))}
        </div>
      </fieldset>
      {moment === 'start' && (
        <div className="field">
          <label htmlFor={`${id}-host`}>Host</label>
          <select
            id={`${id}-host`}
            value={host}
            onChange={({ target }) => onChoose({ host: target.value as HostName })}
          >
            {HOSTS.map((one) => (
              <option key={one} value={one}>
                {hostLabel(one)}
              </option>
            ))}
          </select>
        </div>
      )}
      {moment === 'prompt' && (
        <div className="field grow measure">
          <label htmlFor={`${id}-prompt`}>Prompt</label>
          <textarea
            id={`${id}-prompt`}
            rows={1}
            value={prompt}
            maxLength={20_000}
            placeholder="Why are prices whole cents?"
            onChange={({ target }) => contextDraft.change({ prompt: target.value })}
          />
        </div>
      )}
      {moment === 'file' && <FileField {...question} projects={projects} />}
    </section>
  );
}

function FolderChoice({
  projects,
  cwd,
  onChoose,
}: {
  projects: readonly ProjectRow[];
  cwd: string;
  onChoose: Choose;
}) {
  const id = useId();
  const isKnown = projects.some(({ key }) => key === cwd);
  const [isOther, setOther] = useState(!isKnown);
  const [typed, setTyped] = useState(isKnown ? '' : cwd);
  const hasField = isOther || !isKnown;
  return (
    <>
      <div className="field">
        <label htmlFor={`${id}-project`}>Project</label>
        <select
          id={`${id}-project`}
          value={hasField ? OTHER : cwd}
          onChange={({ target }) => {
            setOther(target.value === OTHER);
            if (target.value !== OTHER) onChoose({ cwd: target.value });
          }}
        >
          {projects.map(({ key, name }) => (
            <option key={key} value={key} title={key}>
              {name}
            </option>
          ))}
          <option value={OTHER}>Another folder</option>
        </select>
      </div>
      {hasField && (
        <form
          className="field grow measure"
          onSubmit={(event) => {
            event.preventDefault();
            if (typed.trim() !== '') onChoose({ cwd: typed.trim() });
          }}
        >
          <label htmlFor={`${id}-folder`}>Folder</label>
          <div className="row nowrap">
            <input
              id={`${id}-folder`}
              className="grow"
              type="text"
              value={typed}
              onChange={({ target }) => setTyped(target.value)}
              placeholder="/repos/shop"
              autoComplete="off"
              spellCheck={false}
              maxLength={4_096}
            />
            <Button type="submit">Show</Button>
          </div>
        </form>
      )}
    </>
  );
}

function FileField({ cwd, file, projects }: Question & { projects: readonly ProjectRow[] }) {
  const id = useId();
  const project = projects.find(({ key }) => key === cwd)?.name;
  const text = useDebounced(file, 150);
  const { data } = useQuery({ ...filesQuery({ text, project }), enabled: project !== undefined });
  return (
    <div className="field grow measure">
      <label htmlFor={id}>File</label>
      <input
        id={id}
        type="text"
        value={file}
        list={`${id}-files`}
        placeholder="src/money.ts"
        autoComplete="off"
        spellCheck={false}
        maxLength={4_096}
        onChange={({ target }) => contextDraft.change({ file: target.value })}
      />
      <datalist id={`${id}-files`}>
        {data?.files
          .filter((one) => one.value !== file)
          .map(({ value }) => (
            <option key={value} value={value} />
          ))}
      </datalist>
    </div>
  );
}
