import type { HostName } from '@claude-mem/core';
import type { SessionDetail } from '@claude-mem/worker-protocol';
import { formatCount, formatDollars } from '../../format/format-number.js';
import { Card } from '../../ui/Card.js';
import { Facts } from '../../ui/Facts.js';
import styles from './Session.module.css';

/** What it took to observe a session; money is an estimate. */
export function ObserverCost({ detail: { session, counts, usage } }: { detail: SessionDetail }) {
  const { calls, inputTokens, outputTokens, cachedTokens, estimatedCostUsd, byProvider } = usage;
  const tokens = inputTokens + outputTokens;
  return (
    <Card title="Observer">
      {calls === 0 ? (
        <p className={styles['quiet']}>{whyNoCall(session.host, counts.observations > 0)}</p>
      ) : (
        <Facts
          facts={[
            ['Calls', formatCount(calls)],
            tokens === 0 ? ['Tokens', 'None: observed on this machine'] : null,
            tokens === 0 ? null : ['Tokens in', formatCount(inputTokens)],
            tokens === 0 ? null : ['Tokens out', formatCount(outputTokens)],
            cachedTokens === 0 ? null : ['Of them cached', formatCount(cachedTokens)],
            ['Cost', estimatedCostUsd === 0 ? 'Nothing' : `about ${formatDollars(estimatedCostUsd)}`],
            [
              byProvider.length === 1 ? 'Provider' : 'Providers',
              byProvider
                .map(({ provider, model, calls: own }) => {
                  const name = model === null ? provider : `${provider} (${model})`;
                  return byProvider.length === 1 ? name : `${name}: ${formatCount(own)}`;
                })
                .join(', '),
            ],
          ]}
        />
      )}
    </Card>
  );
}

function whyNoCall(host: HostName, isObserved: boolean): string {
  if (host === 'import') return 'None: its records were imported.';
  if (host === 'manual') return 'None: its records were saved by hand.';
  return isObserved ? 'Observed on this machine: no call, no tokens, no cost.' : 'No call yet.';
}
