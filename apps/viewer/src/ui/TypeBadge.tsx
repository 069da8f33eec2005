import {
  Bug,
  FilePen,
  Landmark,
  ListChecks,
  MessageSquare,
  RefreshCw,
  Search,
  Sparkles,
  Tag,
  type LucideIcon,
} from 'lucide-react';

const ICONS: Record<string, LucideIcon> = {
  bugfix: Bug,
  feature: Sparkles,
  refactor: RefreshCw,
  decision: Landmark,
  discovery: Search,
  change: FilePen,
  summary: ListChecks,
  prompt: MessageSquare,
};

/** The type of an observation, or `summary` or `prompt`. Modes can define further types. */
export function TypeBadge({ type }: { type: string }) {
  const isKnown = Object.hasOwn(ICONS, type);
  const Icon = (isKnown ? ICONS[type] : undefined) ?? Tag;
  return (
    <span
      className="tag"
      data-type={isKnown ? type : 'other'}
      style={isKnown ? { color: `var(--type-${type}, var(--text-muted))` } : {}}
    >
      <Icon aria-hidden size={13} />
      <span className="one-line">{type}</span>
    </span>
  );
}
