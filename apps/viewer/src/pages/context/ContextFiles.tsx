import { messageOf } from '@claude-mem/core';
import type { ContextFilesReply } from '@claude-mem/worker-protocol';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { worker } from '../../api/worker.js';
import { formatCount } from '../../format/format-number.js';
import { Button } from '../../ui/Button.js';
import { Card } from '../../ui/Card.js';
import { NoAnswer } from '../../ui/NoAnswer.js';
import { contextFilesQuery } from './context-question.js';

/** Lists the context files of the project, with actions to remove and restore them. */
export function ContextFiles({ cwd }: { cwd: string }) {
  const client = useQueryClient();
  const query = useQuery(contextFilesQuery(cwd));
  const change = useMutation({
    mutationFn: (action: 'remove' | 'restore') => worker.changeContextFiles({ body: { cwd, action } }),
    onSuccess(reply) {
      client.setQueryData(contextFilesQuery(cwd).queryKey, reply);
      void client.invalidateQueries({ queryKey: ['previewContext'] });
    },
  });
  const files = query.data?.files ?? [];
  const has = (state: File['state']) => files.some((file) => file.state === state);
  return (
    <Card
      title="Context files of the project"
      actions={
        <div className="row">
          {has('kept') && (
            <Button disabled={change.isPending} focusableWhenDisabled onClick={() => change.mutate('remove')}>
              Remove from all files
            </Button>
          )}
          {has('away') && (
            <Button
              disabled={change.isPending}
              focusableWhenDisabled
              onClick={() => change.mutate('restore')}
            >
              Write again
            </Button>
          )}
        </div>
      }
    >
      {change.isError && (
        <p role="alert" className="danger">
          {messageOf(change.error)}
        </p>
      )}
      {query.data === undefined ? (
        <NoAnswer query={query} />
      ) : files.length > 0 ? (
        <FileTable files={files} />
      ) : (
        <p className="muted measure">
          {query.data.root === null
            ? 'This folder has no project on this machine, so it has no context files.'
            : 'None. claude-mem can also write records to CLAUDE.md and to Cursor rules, for hosts that read these files.'}{' '}
          <Link to="/settings">Choose the files in the settings</Link>
        </p>
      )}
    </Card>
  );
}

type File = ContextFilesReply['files'][number];

const STATE_LABELS: Record<File['state'], string> = {
  kept: 'Kept',
  away: 'Removed',
  left: 'Skipped',
};

function FileTable({ files }: { files: readonly File[] }) {
  return (
    <table className="table">
      <caption className="visually-hidden">Files</caption>
      <thead>
        <tr>
          <th scope="col">File</th>
          <th scope="col">Records</th>
          <th scope="col">Tokens</th>
        </tr>
      </thead>
      <tbody>
        {files.map(({ path, state, records, tokens, reason }) => (
          <tr key={path}>
            <th scope="row">
              <code>{path}</code>
              <div className="muted tiny">
                {STATE_LABELS[state]}
                {reason !== null && `: ${reason}`}
              </div>
            </th>
            <td>{formatCount(records)}</td>
            <td>{formatCount(tokens)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
