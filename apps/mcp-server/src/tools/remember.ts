import { formatProjectName } from '@claude-mem/context-render/mcp';
import { flag, optionalIds, requiredText, sentences, text, words } from '../input/fields.js';
import { defineInput } from '../input/define-input.js';
import { observationIds } from './observation-ids.js';
import { writeThroughWorker } from './write-through-worker.js';
import { defineTool } from './tool.js';

/** In UTF-16 code units. */
const MAX_TEXT_LENGTH = 50_000;

export const remember = defineTool({
  name: 'remember',
  title: 'Remember',
  description:
    'Saves a fact for later sessions of this project: a decision and its reason, a pitfall, or a preference of the user. Save one fact per call, in words that are clear without the conversation. Sessions are recorded automatically. Never save secrets.',
  input: defineInput({
    text: requiredText(
      'The text to save. Its first line becomes the title when no title is given.',
      MAX_TEXT_LENGTH,
    ),
    title: text('Title of one line'),
    type: text('bugfix, feature, refactor, decision, discovery or change. Default: discovery'),
    facts: sentences('Single facts, one sentence each'),
    concepts: words('Such as gotcha, how-it-works, why-it-exists, trade-off, pattern'),
    files: words('Paths of files that the fact is about'),
    pinned: flag(
      'Propose to pin the record, so that every session shows it. The person confirms with a command',
    ),
    supersedes: optionalIds('Ids of records that this one replaces'),
  }),
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  async run({ supersedes, facts, concepts, files, ...input }, context) {
    const here = await context.currentProject();
    const session = context.conversation();
    const { observation, isNew, notes } = await writeThroughWorker(context, (worker) =>
      worker.remember({
        body: {
          text: input.text,
          savedBy: 'agent',
          ...(input.title === undefined ? {} : { title: input.title }),
          ...(input.type === undefined ? {} : { type: input.type }),
          ...(facts === undefined ? {} : { facts: [...facts] }),
          ...(concepts === undefined ? {} : { concepts: [...concepts] }),
          ...(files === undefined ? {} : { files: [...files] }),
          ...(here === null ? {} : { project: here.key }),
          ...(session === null ? {} : { session }),
          ...(supersedes.length === 0 ? {} : { supersedes: observationIds(supersedes, 'supersedes') }),
        },
      }),
    );
    const projectSuffix = here === null ? '' : ` in ${formatProjectName(here.name)}`;
    const result = isNew
      ? `Saved as #${observation.id}${projectSuffix}.`
      : `Already stored${projectSuffix}: #${observation.id}.`;
    const { id, pinned } = observation;
    const pin = `Not pinned: only the person can pin a record, with: claude-mem pin ${id}`;
    return { text: [result, ...notes, ...(input.pinned && !pinned ? [pin] : [])].join(' ') };
  },
});
