import { CliError } from '../cli-error.js';
import type { Command } from '../command.js';
import { EXIT } from '../exit-codes.js';
import { formatIndexState, waitForIndexes } from '../wait-for-indexes.js';
import { startAndWait } from '../worker-process/start-and-wait.js';

const REQUEST_TIMEOUT_MS = 60_000;

export const reindexCommand: Command = {
  name: 'reindex',
  summary: 'Rebuild the search indexes',
  details: ['Records do not change. Waits until the indexes are complete.'],
  options: {
    words: { type: 'boolean', summary: 'Only the inverted index' },
    vectors: { type: 'boolean', summary: 'Only the vectors' },
    'no-wait': { type: 'boolean', summary: 'Do not wait; rebuild in the background' },
  },
  async run(context) {
    const { options, terminal, worker } = context;
    if (options['words'] && options['vectors'])
      throw new CliError(
        'cli/usage',
        'Use either --words or --vectors. Without these options, both are rebuilt.',
      );
    const part = options['words'] ? 'words' : options['vectors'] ? 'vectors' : 'all';
    const started = await startAndWait(context);
    if (started.kind === 'failed')
      throw new CliError('cli/worker-away', `The worker cannot start: ${started.reason}`);
    const state = await worker.within(REQUEST_TIMEOUT_MS).reindex({ body: { part } });
    if (options['no-wait']) {
      terminal.print(`Started: ${formatIndexState(state)}.`);
      return EXIT.done;
    }
    const isComplete = await waitForIndexes(context, part);
    terminal.print(
      `${isComplete ? 'Done' : 'Not done'}: ${formatIndexState(await worker.client.indexState())}.`,
    );
    return isComplete ? EXIT.done : EXIT.failed;
  },
};
