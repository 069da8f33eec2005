import { CliError } from '../cli-error.js';
import type { Command } from '../command.js';
import { EXIT } from '../exit-codes.js';
import { textOfIndexes, waitForIndexes } from '../wait-for-indexes.js';
import { startAndWait } from '../worker-process/start-and-wait.js';

const PATIENCE_MS = 60_000;

export const reindexCommand: Command = {
  name: 'reindex',
  summary: 'Build the indexes of search anew, and wait until they are',
  details: ['Nothing that is remembered changes; the indexes are made from it.'],
  options: {
    words: { type: 'boolean', summary: 'Only the index of words' },
    vectors: { type: 'boolean', summary: 'Only the vectors' },
    'no-wait': { type: 'boolean', summary: 'Leave it to the background' },
  },
  async run(context) {
    const { options, terminal, worker } = context;
    if (options['words'] && options['vectors'])
      throw new CliError('cli/usage', 'Give either --words or --vectors, or none for both.');
    const part = options['words'] ? 'words' : options['vectors'] ? 'vectors' : 'all';
    const started = await startAndWait(context);
    if (started.kind === 'failed')
      throw new CliError('cli/worker-away', `The worker does not start: ${started.reason}`);
    const begun = await worker.within(PATIENCE_MS).reindex({ body: { part } });
    if (options['no-wait']) {
      terminal.print(`Begun: ${textOfIndexes(begun)}.`);
      return EXIT.done;
    }
    const isComplete = await waitForIndexes(context, part);
    terminal.print(
      `${isComplete ? 'Done' : 'Not done'}: ${textOfIndexes(await worker.client.indexState())}.`,
    );
    return isComplete ? EXIT.done : EXIT.failed;
  },
};
