import { projectName } from '@claude-mem/context-render/mcp';
import { flag, optionalIds, requiredText, sentences, text, words } from '../input/fields.js';
import { defineInput } from '../input/define-input.js';
import { InputError } from '../input/input-error.js';
import { observationIds } from './observation-ids.js';
import { projectField, scopeOf } from './scope.js';
import { throughWorker } from './through-worker.js';
import { defineTool } from './tool.js';

/** UTF-16 units of one memory: more is not one thing. */
const LONGEST = 50_000;

export const remember = defineTool({
  name: 'remember',
  title: 'Remember',
  description:
    'Saves something worth knowing in later sessions: a decision and why, a trap, a wish of the person. One thing per call, in words that stand alone. What sessions did is recorded by itself. Never secrets.',
  input: defineInput({
    text: requiredText(
      'What to remember, in exact words; its first line is the title when there is none',
      LONGEST,
    ),
    title: text('One line that says it'),
    type: text('bugfix, feature, refactor, decision, discovery or change. Default: discovery'),
    facts: sentences('Single facts, one sentence each'),
    concepts: words('Such as gotcha, how-it-works, why-it-exists, trade-off, pattern'),
    files: words('Paths it is about'),
    pinned: flag('Show it at the start of every session'),
    supersedes: optionalIds('Ids of records that this one replaces'),
    project: projectField,
  }),
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  async run({ supersedes, project, facts, concepts, files, ...input }, context) {
    const scope = await scopeOf(project, context);
    if (project !== undefined && scope.project === undefined)
      throw new InputError('Something is remembered of one project: leave project out, or name one.');
    const session = context.session();
    const { observation, isNew, notes } = await throughWorker(context, (worker) =>
      worker.remember({
        body: {
          text: input.text,
          pinned: input.pinned,
          ...(input.title === undefined ? {} : { title: input.title }),
          ...(input.type === undefined ? {} : { type: input.type }),
          ...(facts === undefined ? {} : { facts: [...facts] }),
          ...(concepts === undefined ? {} : { concepts: [...concepts] }),
          ...(files === undefined ? {} : { files: [...files] }),
          ...(scope.project === undefined ? {} : { project: scope.project }),
          ...(session === null ? {} : { session }),
          ...(supersedes.length === 0 ? {} : { supersedes: observationIds(supersedes, 'supersedes') }),
        },
      }),
    );
    const where = scope.name === null ? '' : ` in ${projectName(scope.name)}`;
    const said = isNew
      ? `Saved as #${observation.id}${where}.`
      : `Known already${where}: #${observation.id}.`;
    return { text: [said, ...notes].join(' ') };
  },
});
