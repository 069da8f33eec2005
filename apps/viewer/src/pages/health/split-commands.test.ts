import { describe, expect, it } from 'vitest';
import { splitCommands } from './split-commands.js';

const commandsIn = (text: string) =>
  splitCommands(text).flatMap(({ kind, text: part }) => (kind === 'command' ? [part] : []));

describe('splitCommands', () => {
  it.each([
    ['Run: claude-mem doctor, then claude-mem restart', ['claude-mem doctor', 'claude-mem restart']],
    [
      'To see the reasons: claude-mem queue list --status parked. To retry: claude-mem queue retry --parked',
      ['claude-mem queue list --status parked', 'claude-mem queue retry --parked'],
    ],
    ['Correct the value. To see its source, run: claude-mem settings', ['claude-mem settings']],
    [
      'To list the context files of a project, run: claude-mem context --files',
      ['claude-mem context --files'],
    ],
    [
      'To continue without a model, run: claude-mem settings set CLAUDE_MEM_PROVIDER local',
      ['claude-mem settings set CLAUDE_MEM_PROVIDER local'],
    ],
    ['Install the newer claude-mem, whose command is the one to use.', []],
    ['Check the free disk space.', []],
  ])('finds the commands in "%s"', (text, commands) => {
    expect(commandsIn(text)).toEqual(commands);
    expect(
      splitCommands(text)
        .map((part) => part.text)
        .join(''),
    ).toBe(text);
  });
});
