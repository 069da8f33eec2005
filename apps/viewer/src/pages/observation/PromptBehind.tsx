import type { RouteReply } from '@claude-mem/worker-protocol';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { worker } from '../../api/worker.js';
import { Card } from '../../ui/Card.js';
import { findPrompt } from './find-prompt.js';

/** The prompt of the turn to which the observation belongs. Renders nothing when the prompt is not known. */
export function PromptBehind({
  observation: { sessionId, promptNumber, project },
}: {
  observation: RouteReply<'getObservation'>;
}) {
  const { data: prompt } = useQuery({
    queryKey: ['listPrompts', { sessionId, promptNumber }],
    queryFn: ({ signal }) =>
      findPrompt((query) => worker.listPrompts({ query }, { signal }), { sessionId, promptNumber }),
  });
  if (!prompt) return null;
  return (
    <Card
      title="Prompt"
      actions={
        <Link to="/timeline/$anchor" params={{ anchor: `P${prompt.id}` }} search={{ project }}>
          Timeline
        </Link>
      }
    >
      <p className="measure muted pre scroll" tabIndex={0} role="group" aria-label="What the user typed">
        {prompt.promptText}
      </p>
    </Card>
  );
}
