import type { Command } from '../command.js';
import { EXIT } from '../exit-codes.js';
import { renderCommandHelp, renderOverview } from '../render-help.js';
import { CliError } from '../cli-error.js';
import { newCommand, saveCommand, summaryCommand } from './classic-events.js';
import { contextCommand } from './context.js';
import { doctorCommand } from './doctor.js';
import { editCommand, pinCommand, supersedeCommand, unpinCommand } from './edit.js';
import { evalCommand } from './eval.js';
import { exportCommand } from './export.js';
import { forgetCommand } from './forget.js';
import { hookCommand } from './hook.js';
import { importCommand } from './import.js';
import { installCommand, uninstallCommand } from './install.js';
import { restartCommand, startCommand, stopCommand } from './lifecycle.js';
import { logsCommand } from './logs.js';
import { mcpCommand } from './mcp.js';
import { openCommand } from './open.js';
import { projectCommand } from './project.js';
import { queueCommand } from './queue.js';
import { reindexCommand } from './reindex.js';
import { rememberCommand } from './remember.js';
import { searchCommand } from './search.js';
import { settingsCommand } from './settings.js';
import { showCommand } from './show.js';
import { staleCommand } from './stale.js';
import { statusCommand } from './status.js';
import { timelineCommand } from './timeline.js';
import { usageCommand } from './usage.js';
import { versionCommand } from './version.js';

const helpCommand: Command = {
  name: 'help',
  summary: 'Show this help or the help of a command',
  operands: '[COMMAND]',
  operandCount: { min: 0, max: 1 },
  async run({ terminal, operands: [name] }) {
    const command = COMMANDS.find((one) => one.name === name);
    if (name !== undefined && !command) throw new CliError('cli/usage', `Unknown command "${name}".`);
    terminal.print(command ? renderCommandHelp(command) : renderOverview(COMMANDS));
    return EXIT.done;
  },
};

/** Every command, in the order of the help. */
export const COMMANDS: readonly Command[] = [
  installCommand,
  uninstallCommand,
  startCommand,
  stopCommand,
  restartCommand,
  openCommand,
  statusCommand,
  doctorCommand,
  searchCommand,
  timelineCommand,
  showCommand,
  staleCommand,
  contextCommand,
  rememberCommand,
  editCommand,
  pinCommand,
  unpinCommand,
  supersedeCommand,
  forgetCommand,
  importCommand,
  exportCommand,
  projectCommand,
  reindexCommand,
  queueCommand,
  usageCommand,
  evalCommand,
  logsCommand,
  settingsCommand,
  mcpCommand,
  hookCommand,
  newCommand,
  saveCommand,
  summaryCommand,
  versionCommand,
  helpCommand,
];
