import { describe, expect, it } from 'vitest';
import { splitCommands } from './split-commands.js';

const commandsIn = (text: string) =>
  splitCommands(text).flatMap(({ kind, text: part }) => (kind === 'command' ? [part] : []));

describe('splitCommands', () => {
  it.each([
    ['Run: claude-mem doctor, then claude-mem restart', ['claude-mem doctor', 'claude-mem restart']],
    [
      'See why: claude-mem queue list --status parked; then: claude-mem queue retry --parked',
      ['claude-mem queue list --status parked', 'claude-mem queue retry --parked'],
    ],
    ['Correct it where it is set: claude-mem settings says where.', ['claude-mem settings']],
    [
      'To list the context files of a project, run: claude-mem context --files',
      ['claude-mem context --files'],
    ],
    [
      'To go on without a model: claude-mem settings set CLAUDE_MEM_PROVIDER local',
      ['claude-mem settings set CLAUDE_MEM_PROVIDER local'],
    ],
    ['Install the newer claude-mem, whose command is the one to use.', []],
    ['Look for free space.', []],
  ])('finds the commands of "%s"', (text, commands) => {
    expect(commandsIn(text)).toEqual(commands);
    expect(
      splitCommands(text)
        .map((part) => part.text)
        .join(''),
    ).toBe(text);
  });
});
