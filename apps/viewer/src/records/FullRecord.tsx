import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Fact, Facts } from '../ui/Facts.js';
import { Moment } from '../ui/Moment.js';
import { TypeBadge } from '../ui/TypeBadge.js';
import { FactList } from './FactList.js';
import { RecordActions } from './RecordActions.js';
import { describeRecord, type RecordEntry } from './describe-record.js';
import { Marked } from './Marked.js';

/** The complete record, shown beside its list. */
export function FullRecord({ entry }: { entry: RecordEntry }) {
  const { kind, item } = entry;
  const { id, type, title } = describeRecord(entry);
  return (
    <div className="stack pad">
      <p className="meta">
        <TypeBadge type={type} />
        <span>{id}</span>
        <Moment epoch={item.createdAtEpoch} />
      </p>
      {kind === 'observation' ? (
        <>
          <h2>
            <Link to="/observations/$id" params={{ id: item.id }}>
              {title}
            </Link>
          </h2>
          <RecordActions observation={item} variant="words" />
          {item.subtitle !== null && <p className="muted">{item.subtitle}</p>}
          <Part title="Narrative">{item.narrative}</Part>
          {item.facts.length > 0 && (
            <Part title="Facts">
              <FactList facts={item.facts} />
            </Part>
          )}
          {item.concepts.length > 0 && <Part title="Concepts">{item.concepts.join(', ')}</Part>}
        </>
      ) : kind === 'summary' ? (
        <>
          <h2>{title}</h2>
          <Part title="Investigated">{item.investigated}</Part>
          <Part title="Learned">{item.learned}</Part>
          <Part title="Completed">{item.completed}</Part>
          <Part title="Next steps">{item.nextSteps}</Part>
          <Part title="Notes">{item.notes}</Part>
        </>
      ) : (
        <>
          <h2 className="visually-hidden">Prompt {id}</h2>
          <p className="measure pre">{item.promptText}</p>
        </>
      )}
      <Files entry={entry} />
      <Facts>
        <Fact name="Project">
          {kind === 'prompt' ? (
            entry.project
          ) : (
            <Link to="/projects/$id" params={{ id: item.projectId }}>
              {entry.project}
            </Link>
          )}
        </Fact>
        <Fact name="Session">
          <Link to="/sessions/$id" params={{ id: item.sessionId }}>
            {item.sessionId}
          </Link>
        </Fact>
      </Facts>
    </div>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  if (children === null || children === '') return null;
  return (
    <section>
      <h3 className="muted small">{title}</h3>
      {typeof children === 'string' ? (
        <p className="measure pre">
          <Marked text={children} />
        </p>
      ) : (
        children
      )}
    </section>
  );
}

function Files({ entry }: { entry: RecordEntry }) {
  const { files } = describeRecord(entry);
  if (files.length === 0) return null;
  return (
    <Part title="Files">
      <ul className="stack gap-1 mono tiny">
        {files.map((path) => (
          <li key={path}>
            <Link to="/files" search={{ path, project: entry.project }}>
              {path}
            </Link>
          </li>
        ))}
      </ul>
    </Part>
  );
}
