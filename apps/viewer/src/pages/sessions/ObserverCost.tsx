import type { HostName } from '@claude-mem/core';
import type { SessionDetail } from '@claude-mem/worker-protocol';
import { formatCount, formatDollars } from '../../format/format-number.js';
import { Card } from '../../ui/Card.js';
import { Fact, Facts } from '../../ui/Facts.js';

/** Calls, tokens and estimated cost of observing a session. */
export function ObserverCost({ detail: { session, counts, usage } }: { detail: SessionDetail }) {
  const { calls, inputTokens, outputTokens, cachedTokens, estimatedCostUsd, byProvider } = usage;
  return (
    <Card title="Observer">
      {calls === 0 ? (
        <p className="muted">{explainNoCalls(session.host, counts.observations > 0)}</p>
      ) : (
        <Facts>
          <Fact name="Calls">{formatCount(calls)}</Fact>
          {inputTokens + outputTokens === 0 ? (
            <Fact name="Tokens">None: observed on this machine</Fact>
          ) : (
            <>
              <Fact name="Tokens in">{formatCount(inputTokens)}</Fact>
              <Fact name="Tokens out">{formatCount(outputTokens)}</Fact>
            </>
          )}
          {cachedTokens > 0 && <Fact name="Cached input">{formatCount(cachedTokens)}</Fact>}
          <Fact name="Cost">
            {estimatedCostUsd === 0 ? 'Nothing' : `about ${formatDollars(estimatedCostUsd)}`}
          </Fact>
          <Fact name={byProvider.length === 1 ? 'Provider' : 'Providers'}>
            {byProvider
              .map(({ provider, model, calls: own }) => {
                const name = model === null ? provider : `${provider} (${model})`;
                return byProvider.length === 1 ? name : `${name}: ${formatCount(own)}`;
              })
              .join(', ')}
          </Fact>
        </Facts>
      )}
    </Card>
  );
}

function explainNoCalls(host: HostName, isObserved: boolean): string {
  if (host === 'import') return 'None: its records were imported.';
  if (host === 'manual') return 'None: no observer wrote its records.';
  return isObserved ? 'Observed on this machine: no call, no tokens, no cost.' : 'No call yet.';
}
