import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { Button } from '../../ui/Button.js';
import { Card } from '../../ui/Card.js';

const MAX_COLLAPSED = 12;

export function FileLinks({
  title,
  paths,
  project,
}: {
  title: string;
  paths: readonly string[];
  project: string;
}) {
  const [isExpanded, setExpanded] = useState(false);
  if (paths.length === 0) return null;
  const shown = isExpanded ? paths : paths.slice(0, MAX_COLLAPSED);
  return (
    <Card title={title}>
      <ul className="stack gap-1 mono tiny">
        {shown.map((path) => (
          <li key={path}>
            <Link to="/files" search={{ path, project }}>
              {path}
            </Link>
          </li>
        ))}
      </ul>
      {paths.length > MAX_COLLAPSED && (
        <Button variant="quiet" aria-expanded={isExpanded} onClick={() => setExpanded(!isExpanded)}>
          {isExpanded ? 'Show less' : `${paths.length - MAX_COLLAPSED} more`}
        </Button>
      )}
    </Card>
  );
}
