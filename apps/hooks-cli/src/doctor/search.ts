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
    if (indexed >= total) return ok(`${counted(total, 'record')}, all found by words`);
    return warn(
      `${indexed} of ${total} records are found by words`,
      'Nothing to do: the rest follows by itself. If it does not: claude-mem reindex --words',
    );
  },
};

/** Whether search by meaning has what it needs, and how far it is. */
export const vectorsCheck: Check = {
  title: 'vectors',
  run({ health, loaded }) {
    const { settings } = loaded;
    if (settings.vectorIndex === 'none' || settings.embedder === 'none') return ok('switched off');
    const missing = missingForEmbedder(settings);
    if (missing !== null)
      return fail(
        `the embedder ${settings.embedder} ${missing.what}; words are found all the same`,
        `Run: ${missing.fix}`,
      );
    const vectors = health?.search?.vectors;
    const chosen = `${settings.vectorIndex}, ${settings.embedder}`;
    if (vectors === undefined) return ok(`${chosen} (looked at when the worker runs)`);
    if (vectors.problem !== null)
      return warn(
        `${vectors.problem.replace(/\.?$/, '.')} Words are found all the same.`,
        actionAgainst('search-by-meaning', health),
      );
    return ok(
      vectors.waiting === 0 ? `${chosen}, complete` : `${chosen}, ${vectors.waiting} observations wait`,
    );
  },
};
