import type { Freshness } from './freshness.js';

/** The types of the default mode. A mode may define others, so records carry plain text. */
export const OBSERVATION_TYPES = [
  'bugfix',
  'feature',
  'refactor',
  'decision',
  'discovery',
  'change',
] as const;
export type ObservationType = (typeof OBSERVATION_TYPES)[number];

export const OBSERVATION_CONCEPTS = [
  'how-it-works',
  'why-it-exists',
  'what-changed',
  'problem-solution',
  'gotcha',
  'pattern',
  'trade-off',
] as const;
export type ObservationConcept = (typeof OBSERVATION_CONCEPTS)[number];

/**
 * Where a fact comes from: `user`: the user's own words; `evidence`: proven by results of tools; `agreed`: said by the agent and
 * accepted by the user; `agent`: said by the agent only; `rejected`: proposed, and rejected by the user; `external`: its only
 * source is the web, an MCP server or a file outside the project.
 */
export const FACT_ORIGINS = ['user', 'evidence', 'agreed', 'agent', 'rejected', 'external'] as const;
export type FactOrigin = (typeof FACT_ORIGINS)[number];

/** One short statement of an observation. */
export interface Fact {
  text: string;
  /** Null: not known, as for records of earlier versions. */
  origin: FactOrigin | null;
}

/** Facts of one origin. */
export const toFacts = (texts: readonly string[], origin: FactOrigin | null): Fact[] =>
  texts.map((text) => ({ text, origin }));

/** Whether a fact is reported as something that the user said, accepted or rejected. */
export function isAttributedToUser({ origin }: Fact): boolean {
  return origin === 'user' || origin === 'agreed' || origin === 'rejected';
}

/** What an observer or a person says; the rest of an observation is added when it is stored. */
export interface ObservationDraft {
  type: string;
  title: string | null;
  subtitle: string | null;
  narrative: string | null;
  facts: readonly Fact[];
  concepts: readonly string[];
  /** Relative to the project root where inside it, with `/`. */
  filesRead: readonly string[];
  /** Only what evidence shows: an edit or write that succeeded in the turn. */
  filesModified: readonly string[];
}

/** A draft as it is written: the writer cannot choose the origins of the facts. */
export type ObservationInput = Omit<ObservationDraft, 'facts'> & { facts: readonly string[] };

/** The longest each text may be when stored, in UTF-16 units, on every way in; longer ones are cut on whole characters. */
export const OBSERVATION_TEXT_LIMITS = {
  type: 50,
  title: 300,
  subtitle: 300,
  narrative: 10_000,
  fact: 1_000,
  concept: 100,
  file: 1_000,
} as const;

/** The most entries each list may have when stored; later ones are left out. */
export const OBSERVATION_LIST_LIMITS = { facts: 50, concepts: 20, files: 200 } as const;

/** `manual`: a person saved it. `agent`: an agent saved it over MCP. */
export const OBSERVATION_SOURCES = ['observer', 'manual', 'agent', 'import'] as const;
export type ObservationSource = (typeof OBSERVATION_SOURCES)[number];

/** One thing learned, as stored. */
export interface Observation extends ObservationDraft {
  /** Short to cite (`#123`). */
  id: number;
  /** UUIDv7, the identity across machines. */
  uid: string;
  sessionId: number;
  projectId: number;
  promptNumber: number;
  /** What the work behind it cost the host's model, estimated; 0 if unknown. */
  discoveryTokens: number;
  contentHash: string;
  source: ObservationSource;
  provider: string | null;
  model: string | null;
  agentId: string | null;
  agentType: string | null;
  pinned: boolean;
  supersededBy: number | null;
  createdAtEpoch: number;
  updatedAtEpoch: number;
  /** Set by the worker when it knows what became of the files. The store returns records without it. */
  freshness?: Freshness;
}

/** Maximum number of records in a context that agents saved and that are not pinned. */
export const MAX_AGENT_RECORDS = 5;

/** The same limit for the few records beside a prompt or a file: most places stay free for other records. */
export const MAX_AGENT_RECORDS_BESIDE = 2;

/** Whether an agent saved the record and no person pinned it. */
export function isSavedByAgent({ pinned, source }: Pick<Observation, 'pinned' | 'source'>): boolean {
  return source === 'agent' && !pinned;
}

/** True when only a person may supersede, revive or delete the record. Text that an agent reads can contain instructions. */
export function isReservedForPerson({ pinned, source }: Pick<Observation, 'pinned' | 'source'>): boolean {
  return pinned || source === 'manual';
}
