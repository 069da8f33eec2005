import type { Freshness } from './freshness.js';

/** The types of the default mode. Other modes define their own, so a stored type is a string. */
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
  /** Null when it is unknown, as for records of earlier versions. */
  origin: FactOrigin | null;
}

/** Facts with the same origin. */
export const toFacts = (texts: readonly string[], origin: FactOrigin | null): Fact[] =>
  texts.map((text) => ({ text, origin }));

/** Checks whether a fact is a statement that the user made, accepted or rejected. */
export function isAttributedToUser({ origin }: Fact): boolean {
  return origin === 'user' || origin === 'agreed' || origin === 'rejected';
}

/** The content of an observation. The other fields are added when it is stored. */
export interface ObservationDraft {
  type: string;
  title: string | null;
  subtitle: string | null;
  narrative: string | null;
  facts: readonly Fact[];
  concepts: readonly string[];
  /** Relative to the project root for files inside the project, with `/` separators. */
  filesRead: readonly string[];
  /** Only files that an edit or write of the turn changed successfully, as the evidence proves. */
  filesModified: readonly string[];
}

/** The content of an observation without origins of facts, because the writer cannot choose them. */
export type ObservationInput = Omit<ObservationDraft, 'facts'> & { facts: readonly string[] };

/**
 * Maximum length of each text in UTF-16 code units, for every source of records. Longer texts are cut between characters.
 */
export const OBSERVATION_TEXT_LIMITS = {
  type: 50,
  title: 300,
  subtitle: 300,
  narrative: 10_000,
  fact: 1_000,
  concept: 100,
  file: 1_000,
} as const;

/** Maximum number of entries of each list. Later entries are dropped. */
export const OBSERVATION_LIST_LIMITS = { facts: 50, concepts: 20, files: 200 } as const;

/** `manual`: saved by the user. `agent`: saved by an agent over MCP. */
export const OBSERVATION_SOURCES = ['observer', 'manual', 'agent', 'import'] as const;
export type ObservationSource = (typeof OBSERVATION_SOURCES)[number];

/** A stored observation. */
export interface Observation extends ObservationDraft {
  /** The short id for citations (`#123`). */
  id: number;
  /** UUIDv7, the same on all machines. */
  uid: string;
  sessionId: number;
  projectId: number;
  promptNumber: number;
  /** Estimated tokens that the host's model used for the work. 0 if unknown. */
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
  /** Set by the worker when the freshness is known. The store returns records without it. */
  freshness?: Freshness;
}

/** Maximum number of unpinned agent records in a context. */
export const MAX_AGENT_RECORDS = 5;

/** The same limit for the few records with a prompt or a file, so that most of them are other records. */
export const MAX_AGENT_RECORDS_BESIDE = 2;

/** Checks whether an agent saved the record and the user has not pinned it. */
export function isSavedByAgent({ pinned, source }: Pick<Observation, 'pinned' | 'source'>): boolean {
  return source === 'agent' && !pinned;
}

/**
 * Checks whether only the user may supersede, restore or delete the record. Text that an agent reads can contain
 * instructions.
 */
export function isReservedForPerson({ pinned, source }: Pick<Observation, 'pinned' | 'source'>): boolean {
  return pinned || source === 'manual';
}
