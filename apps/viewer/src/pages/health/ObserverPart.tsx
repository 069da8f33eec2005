import type { HealthDetail } from '@claude-mem/worker-protocol';
import { Link } from '@tanstack/react-router';
import { Ago } from '../../ui/Ago.js';
import { Card } from '../../ui/Card.js';
import { Fact, Facts } from '../../ui/Facts.js';

type Observer = HealthDetail['observer'];

const STATES = { works: 'works', waiting: 'failed, will be retried', aside: 'paused' };

/** The current observer, its fallbacks and their states. */
export function ObserverPart({ observer }: { observer: Observer }) {
  const { provider, model, running, problem, providers } = observer;
  return (
    <Card title="Observer" actions={<Link to="/usage">Usage</Link>}>
      <Facts>
        <Fact name="Current observer">
          {provider === '' ? 'none yet' : [provider, model].filter(Boolean).join(', ')}
        </Fact>
        <Fact name="In progress">
          {running === 0 ? 'none' : running === 1 ? '1 turn' : `${running} turns`}
        </Fact>
        {provider === 'local' && <Fact name="Cost">none: uses rules, without a model</Fact>}
        {(providers.length > 1 || providers.some(({ state }) => state !== 'works')) &&
          providers.map((each) => (
            <Fact key={`${each.name} ${each.model}`} name={each.name}>
              <ProviderState provider={each} />
            </Fact>
          ))}
        {problem !== undefined && <Fact name="Problem">{problem}</Fact>}
      </Facts>
    </Card>
  );
}

function ProviderState({ provider }: { provider: Observer['providers'][number] }) {
  const { state, reason, sinceEpoch, untilEpoch } = provider;
  if (state === 'works') return STATES.works;
  return (
    <>
      {STATES[state]}
      {sinceEpoch !== null && (
        <>
          {', last failed '}
          <Ago epoch={sinceEpoch} />
        </>
      )}
      {untilEpoch !== null && (
        <>
          {', next attempt '}
          <Ago epoch={untilEpoch} />
        </>
      )}
      {reason !== null && `: ${reason}`}
    </>
  );
}
