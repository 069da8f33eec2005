import { missingForEmbedder } from '@claude-mem/settings';
import { counted } from '../counted.js';
import { fail, ok, warn, type Check } from './check.js';
import { actionAgainst } from './problems.js';

/** Whether everything can be found by words. */
export const wordsCheck: Check = {
  title: 'index',
  run({ health }) {
    const words = health?.search?.words;
    if (words === undefined) return null;
    const { indexed, total, problem } = words;
    if (problem !== undefined) return fail(problem, actionAgainst('words-index', health));
    if (indexed >= total) return ok(`${counted(total, 'record')} in the inverted index`);
    return warn(
      `${indexed} of ${total} records are in the inverted index`,
      'Wait until all records are indexed. Otherwise run: claude-mem reindex --words',
    );
  },
};

/** Whether search by meaning has what it needs, and how far it is. */
export const vectorsCheck: Check = {
  title: 'vectors',
  run({ health, loaded }) {
    const { settings } = loaded;
    if (settings.vectorIndex === 'none' || settings.embedder === 'none') return ok('disabled');
    const missing = missingForEmbedder(settings);
    if (missing !== null)
      return fail(
        `the embedder ${settings.embedder} ${missing.what}; lexical search still works`,
        `Run: ${missing.fix}`,
      );
    const vectors = health?.search?.vectors;
    const chosen = `${settings.vectorIndex}, ${settings.embedder}`;
    if (vectors === undefined) return ok(`${chosen} (checked when the worker runs)`);
    if (vectors.problem !== null)
      return warn(
        `${vectors.problem.replace(/\.?$/, '.')} Lexical search still works.`,
        actionAgainst('search-by-meaning', health),
      );
    return ok(
      vectors.waiting === 0 ? `${chosen}, complete` : `${chosen}, ${vectors.waiting} observations wait`,
    );
  },
};
