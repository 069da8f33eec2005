import { createHash } from 'node:crypto';
import { sliceCharacters, type Observation } from '@claude-mem/core';
import type { VectorDocument } from '../ports/vector-index.js';

/** A document without a vector. */
export interface TextDocument extends Omit<VectorDocument, 'vector'> {
  text: string;
}

/**
 * Returns the texts of an observation that get vectors: title, subtitle and narrative together, and each fact. Models
 * read a few hundred words of each. Longer texts are cut.
 */
export function vectorDocuments(observation: Observation): readonly TextDocument[] {
  const { id: observationId, projectId, type, createdAtEpoch, title, subtitle, narrative } = observation;
  const metadata = { observationId, projectId, type, createdAtEpoch };
  const text = [title, subtitle, narrative].filter((part) => part !== null && part.trim() !== '').join('\n');
  const texts: [string, string][] = [[`obs_${observationId}_narrative`, text]];
  observation.facts.slice(0, MAX_FACTS).forEach(({ text }, index) => {
    texts.push([`obs_${observationId}_fact_${index}`, text]);
  });
  return texts
    .filter(([, text]) => text.trim() !== '')
    .map(([id, fullText]) => {
      const text = sliceCharacters(fullText, 0, MAX_LENGTH);
      return { id, text, metadata, contentHash: digest([text, projectId, type, createdAtEpoch]) };
    });
}

const MAX_FACTS = 64;
/** UTF-16 code units. */
const MAX_LENGTH = 4_000;

/** Includes the metadata, which an index stores with the vector. */
function digest(content: readonly (string | number)[]): string {
  return createHash('sha256').update(JSON.stringify(content)).digest('base64url').slice(0, 22);
}
