import { describe, expect, it } from 'vitest';
import { parseShell } from './parse-shell.js';

const words = (line: string) => parseShell(line).map((command) => command.words);

describe('parseShell', () => {
  it('splits at operators and keeps quoted words together', () => {
    expect(words(`cd "my app" && npm test -- 'a b' | tail -3; echo done`)).toEqual([
      ['cd', 'my app'],
      ['npm', 'test', '--', 'a b'],
      ['tail', '-3'],
      ['echo', 'done'],
    ]);
  });

  it('distinguishes written files from file descriptors', () => {
    const [command] = parseShell('make 2>&1 > build.log 2> /dev/null >> all.log');
    expect(command?.words).toEqual(['make']);
    expect(command?.writesTo).toEqual(['build.log', '/dev/null', 'all.log']);
  });

  it('separates here-documents from commands', () => {
    const commands = parseShell("cat > a.ts <<'EOF'\nrm -rf everything\nEOF\nls");
    expect(commands.map((command) => command.words)).toEqual([['cat'], ['ls']]);
    expect(commands[0]?.heredoc).toBe('rm -rf everything');
    expect(commands[0]?.writesTo).toEqual(['a.ts']);
  });

  it('replaces a here-document in a cat substitution with its text', () => {
    const [commit, write] = parseShell(
      'git commit -m "$(cat <<\'EOF\'\nfix: a\n\nBecause.\nEOF\n)" && cat > b <<X\ntext\nX',
    );
    expect(commit?.words).toEqual(['git', 'commit', '-m', 'fix: a\n\nBecause.']);
    expect(write?.heredoc).toBe('text');
  });

  it('ignores commands in a substitution or a comment', () => {
    expect(words('echo "$(rm a; rm b)" # rm c')).toEqual([['echo', '$(rm a; rm b)']]);
  });

  it('separates leading assignments from the words', () => {
    const [command] = parseShell('A=1 B="two words" node x.js');
    expect(command?.assignments).toEqual(['A=1', 'B=two words']);
    expect(command?.words).toEqual(['node', 'x.js']);
  });

  it('does not throw for invalid command lines', () => {
    for (const line of ['"', "'", '$(', '<<EOF', '>', '&& ||', '((((', `${'$('.repeat(5_000)}`, '\\']) {
      expect(Array.isArray(parseShell(line))).toBe(true);
    }
  });
});
