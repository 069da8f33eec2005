import { HOST_NAMES } from '@claude-mem/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { Filters } from '../../api/filters.js';
import { projectsQuery } from '../projects/projects-query.js';
import { hostLabel } from '../../format/host-label.js';

/** Filters the list by project and host. The filters are stored in the URL. */
export function SessionFilters({ filters }: { filters: Pick<Filters, 'project' | 'host'> }) {
  const navigate = useNavigate({ from: '/sessions' });
  const projects = useQuery(projectsQuery());
  const names = [
    ...new Set([...(filters.project ?? []), ...(projects.data?.items.map(({ name }) => name) ?? [])]),
  ];
  const narrow = (change: Pick<Filters, 'project' | 'host'>) =>
    void navigate({ search: (now) => ({ ...now, ...change }), replace: true });
  return (
    <div className="row" role="group" aria-label="Filters">
      <Choice
        label="Project"
        all="All projects"
        values={names.toSorted((a, b) => a.localeCompare(b)).map((name) => ({ value: name, label: name }))}
        chosen={filters.project}
        onChoose={(project) => narrow({ project })}
      />
      <Choice
        label="Host"
        all="All hosts"
        values={HOST_NAMES.map((host) => ({ value: host, label: hostLabel(host) }))}
        chosen={filters.host}
        onChoose={(host) => narrow({ host })}
      />
    </div>
  );
}

function Choice({
  label,
  all,
  values,
  chosen = [],
  onChoose,
}: {
  label: string;
  all: string;
  values: readonly { value: string; label: string }[];
  chosen: readonly string[] | undefined;
  onChoose: (values: string[]) => void;
}) {
  const isSeveral = chosen.length > 1;
  return (
    <select
      aria-label={label}
      value={isSeveral ? SEVERAL : (chosen[0] ?? '')}
      onChange={({ target }) => onChoose(target.value === '' ? [] : [target.value])}
    >
      <option value="">{all}</option>
      {isSeveral && <option value={SEVERAL}>{chosen.join(', ')}</option>}
      {values.map(({ value, label: words }) => (
        <option key={value} value={value}>
          {words}
        </option>
      ))}
    </select>
  );
}

/** Value of the option for several selected projects. The name of a project is never a line break. */
const SEVERAL = '\n';
