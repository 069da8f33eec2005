import { Meter } from '@base-ui/react/meter';
import type { ContextReply } from '@claude-mem/worker-protocol';
import { Link } from '@tanstack/react-router';
import { CircleSlash, ListTree } from 'lucide-react';
import { counted } from '../../format/counted.js';
import { formatCount } from '../../format/format-number.js';
import { Card } from '../../ui/Card.js';
import { CopyButton } from '../../ui/CopyButton.js';
import { EmptyState } from '../../ui/EmptyState.js';
import { SETTING_KEYS, type Moment } from './context-question.js';
import styles from './ContextPage.module.css';

/** The exact text that the agent gets, its tokens, and the reason why it would not be injected. */
export function InjectedText({
  preview,
  moment,
  isUpdating,
}: {
  preview: ContextReply;
  moment: Moment;
  isUpdating: boolean;
}) {
  const { text, offReason, reason, shown, skipped, statements, total } = preview;
  return (
    <Card
      title="Injected text"
      actions={
        <div className="row">
          <span role="status" className="muted small">
            {isUpdating ? 'Updating' : ''}
          </span>
          {text !== '' && <CopyButton text={text} label="the text" />}
        </div>
      }
    >
      {offReason !== null && <NotInjected moment={moment} reason={offReason} hasText={text !== ''} />}
      <div aria-busy={isUpdating} data-updating={isUpdating} className="stack gap-2">
        {text === '' ? (
          <NothingInjected moment={moment} reason={reason} areAllSkipped={skipped.length > 0} />
        ) : (
          <>
            <Cost {...preview} />
            <p className="muted small">
              {statements > 0 && `${counted(statements, 'statement')}, `}
              {moment === 'start'
                ? `${formatCount(shown.length)} of ${counted(total, 'record')}.`
                : `${counted(shown.length, 'record')}.`}{' '}
              {reason}
              {isCutByHost(preview) &&
                ' The text ends here because hosts cut off longer texts, even below the token limit.'}
            </p>
            <pre className={`panel small ${styles['injected']}`}>{text}</pre>
          </>
        )}
      </div>
    </Card>
  );
}

/** Whether the size limit of the host excluded records that the token limit allows. */
const isCutByHost = ({ text, tokens, maxTokens, skipped }: ContextReply) =>
  text.length > 9_000 && tokens < 0.9 * maxTokens && skipped.some(({ reason }) => reason === 'no room');

function Cost({ tokens, maxTokens }: ContextReply) {
  const valueText = `${formatCount(tokens)} of ${formatCount(maxTokens)} tokens`;
  return (
    <Meter.Root
      className="stack gap-1 short"
      value={Math.min(tokens, maxTokens)}
      max={Math.max(maxTokens, 1)}
      getAriaValueText={() => valueText}
    >
      <Meter.Label className="visually-hidden">Cost</Meter.Label>
      <Meter.Value className="strong">{() => valueText}</Meter.Value>
      <Meter.Track className="bar">
        <Meter.Indicator />
      </Meter.Track>
    </Meter.Root>
  );
}

function NotInjected({ moment, reason, hasText }: { moment: Moment; reason: string; hasText: boolean }) {
  return (
    <p className="notice">
      <CircleSlash aria-hidden size={16} />
      <span>
        <strong>Not injected:</strong> {reason}.{hasText && ' The preview is below.'}
        {!reason.startsWith(SETTING_KEYS[moment]) && (
          <>
            {' '}
            <Link to="/settings">Settings</Link>
          </>
        )}
      </span>
    </p>
  );
}

function NothingInjected({
  moment,
  reason,
  areAllSkipped,
}: {
  moment: Moment;
  reason: string | null;
  areAllSkipped: boolean;
}) {
  return (
    <EmptyState icon={ListTree} title="Nothing to inject">
      {reason} {areAllSkipped ? 'The list below shows why each record was skipped.' : EMPTY_HINTS[moment]}
    </EmptyState>
  );
}

const EMPTY_HINTS: Record<Moment, string> = {
  start: 'After a session has done some work in this folder, new sessions get its records.',
  prompt: 'A record is injected if it contains enough of the discriminative words of the prompt.',
  file: 'After a session has read or changed the file, the next session gets its records.',
};
