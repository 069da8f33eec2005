import type { Observation } from '@claude-mem/core';
import type { RouteReply } from '@claude-mem/worker-protocol';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { formatCount } from '../../format/format-number.js';
import { Card } from '../../ui/Card.js';
import { Moment } from '../../ui/Moment.js';
import { hostLabel } from '../../format/host-label.js';
import styles from './Origin.module.css';

const SOURCES: Record<Observation['source'], string> = {
  observer: 'the observer',
  manual: 'saved by hand',
  import: 'an import',
};

/** Where an observation is from, when, and what made it. */
export function Origin({ observation }: { observation: RouteReply<'getObservation'> }) {
  const { project, projectId, host, sessionId, promptNumber, source, provider, model } = observation;
  const { agentType, agentId, discoveryTokens, createdAtEpoch, updatedAtEpoch } = observation;
  return (
    <Card title="Where it is from">
      <dl className={styles['list']}>
        <Row name="Project">
          <Link to="/projects/$id" params={{ id: projectId }}>
            {project}
          </Link>
        </Row>
        <Row name="Session">
          <Link to="/sessions/$id" params={{ id: sessionId }}>
            {sessionId}
          </Link>
        </Row>
        {promptNumber > 0 && <Row name="Prompt">{promptNumber}</Row>}
        <Row name="Host">{hostLabel(host)}</Row>
        {agentType !== null && <Row name="Agent">{agentType}</Row>}
        {agentType === null && agentId !== null && <Row name="Agent">{agentId}</Row>}
        <Row name="Source">{SOURCES[source]}</Row>
        {provider !== null && <Row name="Provider">{provider}</Row>}
        {model !== null && <Row name="Model">{model}</Row>}
        {discoveryTokens > 0 && (
          <Row name="Work behind it">about {formatCount(discoveryTokens)} tokens of the host</Row>
        )}
        <Row name="Recorded">
          <Moment epoch={createdAtEpoch} />
        </Row>
        {updatedAtEpoch !== createdAtEpoch && (
          <Row name="Changed">
            <Moment epoch={updatedAtEpoch} />
          </Row>
        )}
      </dl>
    </Card>
  );
}

function Row({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
