import { formatFreshness, formatStaleFile, type Freshness } from '@claude-mem/core';
import { FileClock } from 'lucide-react';
import { counted } from '../../format/counted.js';

/** Files of an observation that were changed, moved or deleted since. Shows the branch if there are no such files. */
export function StaleFiles({ freshness }: { freshness: Freshness }) {
  const { files, staleCount } = freshness;
  const more = staleCount - files.length;
  const branch = files.length === 0 ? formatFreshness(freshness) : '';
  const lines = [
    ...files.map((file) => `${file.path}: ${formatStaleFile(file)}`),
    ...(more > 0 ? [counted(more, 'more file')] : []),
    ...(branch === '' ? [] : [`Recorded ${branch}`]),
  ];
  if (lines.length === 0) return null;
  return (
    <div className="stack gap-2">
      {lines.map((line) => (
        <p key={line} className="notice">
          <FileClock aria-hidden size={15} />
          <span>{line}</span>
        </p>
      ))}
    </div>
  );
}
