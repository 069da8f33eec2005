import type { Command } from '../command.js';
import { EXIT } from '../exit-codes.js';
import { openInBrowser } from '../open-in-browser.js';
import { needWorker } from '../worker-process/need-worker.js';

export const openCommand: Command = {
  name: 'open',
  summary: 'Open the viewer in the browser, signed in',
  options: {
    print: {
      type: 'boolean',
      summary: 'Only print the address; it signs one browser in, within ten minutes',
    },
  },
  details: ['Starts the worker when it is away. Over ssh the address is printed, and how to reach it.'],
  async run(context) {
    const { terminal, env, options, worker } = context;
    await needWorker(context);
    const { url, expiresAtEpoch } = await worker.client.createSignIn();
    if (options['print']) {
      terminal.print(url);
      return EXIT.done;
    }
    const isRemote = Boolean(env['SSH_CONNECTION'] || env['SSH_TTY']);
    const isOpen = !isRemote && (await openInBrowser(url, context));
    const minutes = Math.round((expiresAtEpoch - Date.now()) / 60_000);
    if (isOpen) terminal.print('The viewer opens in your browser. If it does not, open this yourself:');
    else terminal.print('Open this in your browser:');
    terminal.print(`\n  ${url}\n\nIt signs one browser in, once, within ${minutes} minutes.`);
    if (isRemote) terminal.print(hintOfForwarding(url));
    return EXIT.done;
  },
};

function hintOfForwarding(url: string): string {
  const { port } = new URL(url);
  return `You are here over ssh. On the machine with the browser, first run (with this machine's name for HOST):\n\n  ssh -N -L ${port}:127.0.0.1:${port} HOST`;
}
