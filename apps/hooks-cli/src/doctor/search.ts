import { missingForEmbedder } from '@claude-mem/settings';
import { formatCount } from '../format-count.js';
import { fail, ok, warn, type Check } from './check.js';
import { actionFor } from './health-problems.js';

/** Checks that the inverted index contains all records. */
export const wordsCheck: Check = {
  title: 'index',
  run({ health }) {
    const words = health?.search?.words;
    if (words === undefined) return null;
    const { indexed, total, problem } = words;
    if (problem !== undefined) return fail(problem, actionFor('words-index', health));
    if (indexed >= total) return ok(`${formatCount(total, 'record')} in the inverted index`);
    return warn(
      `${indexed} of ${total} records are in the inverted index`,
      'Wait until all records are indexed. Otherwise run: claude-mem reindex --words',
    );
  },
};

/** Checks the settings and the progress of semantic search. */
export const vectorsCheck: Check = {
  title: 'vectors',
  run({ health, loaded }) {
    const { settings } = loaded;
    if (settings.vectorIndex === 'none' || settings.embedder === 'none') return ok('disabled');
    const missing = missingForEmbedder(settings);
    if (missing !== null)
      return fail(
        `the embedder ${settings.embedder} ${missing.reason}; lexical search still works`,
        `Run: ${missing.fix}`,
      );
    const vectors = health?.search?.vectors;
    const configured = `${settings.vectorIndex}, ${settings.embedder}`;
    if (vectors === undefined) return ok(`${configured} (checked when the worker runs)`);
    if (vectors.problem !== null)
      return warn(
        `${vectors.problem.replace(/\.?$/, '.')} Lexical search still works.`,
        actionFor('search-by-meaning', health),
      );
    return ok(
      vectors.waiting === 0
        ? `${configured}, complete`
        : `${configured}, ${vectors.waiting} observations wait`,
    );
  },
};
