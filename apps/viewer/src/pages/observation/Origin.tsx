import type { Observation } from '@claude-mem/core';
import type { RouteReply } from '@claude-mem/worker-protocol';
import { Link } from '@tanstack/react-router';
import { formatCount } from '../../format/format-number.js';
import { Card } from '../../ui/Card.js';
import { Fact, Facts } from '../../ui/Facts.js';
import { Moment } from '../../ui/Moment.js';
import { hostLabel } from '../../format/host-label.js';

const SOURCES: Record<Observation['source'], string> = {
  observer: 'the observer',
  manual: 'saved manually',
  agent: 'saved by an agent',
  import: 'an import',
};

/** The project, session, time and source of an observation. */
export function Origin({ observation }: { observation: RouteReply<'getObservation'> }) {
  const { project, projectId, host, sessionId, promptNumber, source, provider, model } = observation;
  const { agentType, agentId, discoveryTokens, createdAtEpoch, updatedAtEpoch } = observation;
  return (
    <Card title="Source">
      <Facts>
        <Fact name="Project">
          <Link to="/projects/$id" params={{ id: projectId }}>
            {project}
          </Link>
        </Fact>
        <Fact name="Session">
          <Link to="/sessions/$id" params={{ id: sessionId }}>
            {sessionId}
          </Link>
        </Fact>
        {promptNumber > 0 && <Fact name="Prompt">{promptNumber}</Fact>}
        <Fact name="Host">{hostLabel(host)}</Fact>
        {agentType !== null && <Fact name="Agent">{agentType}</Fact>}
        {agentType === null && agentId !== null && <Fact name="Agent">{agentId}</Fact>}
        <Fact name="Recorded by">{SOURCES[source]}</Fact>
        {provider !== null && <Fact name="Provider">{provider}</Fact>}
        {model !== null && <Fact name="Model">{model}</Fact>}
        {discoveryTokens > 0 && (
          <Fact name="Cost to discover">about {formatCount(discoveryTokens)} host tokens</Fact>
        )}
        <Fact name="Recorded">
          <Moment epoch={createdAtEpoch} />
        </Fact>
        {updatedAtEpoch !== createdAtEpoch && (
          <Fact name="Changed">
            <Moment epoch={updatedAtEpoch} />
          </Fact>
        )}
      </Facts>
    </Card>
  );
}
