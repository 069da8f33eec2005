import type { Command } from '../command.js';
import { EXIT } from '../exit-codes.js';
import { openInBrowser } from '../open-in-browser.js';
import { ensureWorker } from '../worker-process/ensure-worker.js';

export const openCommand: Command = {
  name: 'open',
  summary: 'Open the viewer in the browser and sign in',
  options: {
    print: {
      type: 'boolean',
      summary: 'Only print the address, which signs in one browser within ten minutes',
    },
  },
  details: [
    'Starts the worker when needed. Over SSH, prints the address and the command that forwards the port.',
  ],
  async run(context) {
    const { terminal, env, options, worker } = context;
    await ensureWorker(context);
    const { url, expiresAtEpoch } = await worker.client.createSignIn();
    if (options['print']) {
      terminal.print(url);
      return EXIT.done;
    }
    const isRemote = Boolean(env['SSH_CONNECTION'] || env['SSH_TTY']);
    const isOpen = !isRemote && (await openInBrowser(url, context));
    const minutes = Math.round((expiresAtEpoch - Date.now()) / 60_000);
    if (isOpen) terminal.print('The viewer opens in your browser. Otherwise open this address:');
    else terminal.print('Open this address in your browser:');
    terminal.print(`\n  ${url}\n\nThe address signs in one browser, once, within ${minutes} minutes.`);
    if (isRemote) terminal.print(formatForwardingHint(url));
    return EXIT.done;
  },
};

function formatForwardingHint(url: string): string {
  const { port } = new URL(url);
  return `This is an SSH session. On the machine with the browser, first run this command (HOST is the name of this machine):\n\n  ssh -N -L ${port}:127.0.0.1:${port} HOST`;
}
