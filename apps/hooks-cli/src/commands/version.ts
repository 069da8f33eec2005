import type { Command } from '../command.js';
import { EXIT } from '../exit-codes.js';

export const versionCommand: Command = {
  name: 'version',
  summary: 'Show the version',
  async run({ terminal, version }) {
    terminal.print(version);
    return EXIT.done;
  },
};
