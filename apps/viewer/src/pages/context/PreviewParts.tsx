import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useRefresh } from '../../api/use-refresh.js';
import { Card } from '../../ui/Card.js';
import { NoAnswer } from '../../ui/NoAnswer.js';
import { StaleNotice } from '../../ui/StaleNotice.js';
import { useDebounced } from '../../ui/use-debounced.js';
import { contextQueryOf, previewQuery, type ContextQuestion } from './context-question.js';
import { InjectedText } from './InjectedText.js';
import { RecordTable } from './RecordTable.js';
import styles from './ContextPage.module.css';

const TYPING_MS = 250;
const REFRESH_EVENTS = ['observation-created', 'observation-updated', 'summary-created', 'memory-forgotten'];

/** The preview: the text and tables of the included and the skipped records. */
export function PreviewParts({ question, children }: { question: ContextQuestion; children: ReactNode }) {
  const typed = JSON.stringify([question.prompt, question.file, question.requestedSettings]);
  const settled = useDebounced(typed, TYPING_MS);
  const [prompt = '', file = '', requestedSettings = ''] = JSON.parse(settled) as string[];
  const asked = contextQueryOf({ ...question, prompt, file, requestedSettings });
  const query = useQuery({
    ...previewQuery(asked ?? { cwd: question.cwd }),
    enabled: asked !== null,
  });
  useRefresh('previewContext', ({ type }) => REFRESH_EVENTS.includes(type));
  const { data } = query;
  return (
    <div className={styles['parts']}>
      <div className={`stack gap-3 ${styles['text']}`}>
        {asked === null ? (
          <Card title="Injected text">
            <p className="muted measure">{INPUT_HINTS[question.moment]}</p>
          </Card>
        ) : data === undefined ? (
          <Card title="Injected text">
            <NoAnswer query={query} />
          </Card>
        ) : (
          <>
            <StaleNotice query={query} />
            <InjectedText
              preview={data}
              moment={question.moment}
              isUpdating={query.isPlaceholderData || settled !== typed}
            />
          </>
        )}
      </div>
      <div className={styles['beside']}>{children}</div>
      {asked !== null && data !== undefined && data.shown.length + data.skipped.length > 0 && (
        <div className={`columns ${styles['lists']}`}>
          {data.shown.length > 0 && <RecordTable title="Included" entries={data.shown} />}
          {data.skipped.length > 0 && (
            <RecordTable
              title="Skipped"
              entries={data.skipped}
              uncheckedCount={
                question.moment === 'start' ? data.total - data.shown.length - data.skipped.length : 0
              }
            />
          )}
        </div>
      )}
    </div>
  );
}

const INPUT_HINTS = {
  start: '',
  prompt:
    'Type a prompt to preview the records that are injected with the prompt. Most prompts have no matching records.',
  file: 'Type a path to preview the records that are injected when the file is read.',
} as const;
