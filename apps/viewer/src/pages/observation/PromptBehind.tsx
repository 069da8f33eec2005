import type { RouteReply } from '@claude-mem/worker-protocol';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { worker } from '../../api/worker.js';
import { Card } from '../../ui/Card.js';
import styles from './PromptBehind.module.css';

/** What the user typed in the turn that an observation is from; nothing when that is not known. */
export function PromptBehind({
  observation: { sessionId, promptNumber, project },
}: {
  observation: RouteReply<'getObservation'>;
}) {
  const query = { sessionId, limit: MOST_PROMPTS };
  const { data } = useQuery({
    queryKey: ['listPrompts', { query }],
    queryFn: ({ signal }) => worker.listPrompts({ query }, { signal }),
  });
  const prompt = data?.items.find((one) => one.promptNumber === promptNumber);
  if (prompt === undefined) return null;
  return (
    <Card
      title="Prompt"
      actions={
        <Link to="/timeline/$anchor" params={{ anchor: `P${prompt.id}` }} search={{ project }}>
          Timeline
        </Link>
      }
    >
      <p className={styles['text']} tabIndex={0} role="group" aria-label="What the user typed">
        {prompt.promptText}
      </p>
    </Card>
  );
}

const MOST_PROMPTS = 500;
