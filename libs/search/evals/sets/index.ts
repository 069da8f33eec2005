import type { EvalSet } from '../eval-set.js';
import { readCacm } from './cacm.js';
import { readCodemem, readCodememEvents, readCodememOrigins } from './codemem.js';
import { readCosqa } from './cosqa.js';
import { readLocomo } from './locomo.js';
import { readParaphrases } from './paraphrases.js';
import { readSdeBench } from './sde-bench.js';

/** All sets by name, in the order of the output. */
export const EVAL_SETS: Readonly<Record<string, (shared: string) => EvalSet | Promise<EvalSet>>> = {
  locomo: readLocomo,
  cosqa: readCosqa,
  cacm: readCacm,
  codemem: readCodemem,
  'codemem-events': readCodememEvents,
  'codemem-origins': readCodememOrigins,
  paraphrases: readParaphrases,
  'sde-bench': readSdeBench,
};
