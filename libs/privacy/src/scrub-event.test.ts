import { describe, expect, it } from 'vitest';
import { CUT_OUTPUT_NOTE, type JsonValue, type ToolUsed } from '@claude-mem/core';
import { scrubEvent } from './scrub-event.js';

const base = {
  host: 'claude-code',
  contentSessionId: 's-1',
  cwd: '/home/me/app',
  projectDir: '/home/me/app',
  promptId: null,
  agentId: null,
  agentType: null,
} as const;

const toolUse = (
  toolName: string,
  input: JsonValue,
  response: JsonValue,
  error: string | null = null,
): ToolUsed => ({
  ...base,
  kind: 'tool-use',
  toolName,
  toolUseId: 'toolu_01AbCdEfGhIjKlMnOpQrStUv',
  input,
  response,
  outcome: error === null ? 'succeeded' : 'failed',
  error,
  isInterrupt: false,
  durationMs: 5,
});

describe('scrubEvent', () => {
  it('B067: removes passwords from a command and its output', () => {
    const key = ['AK', 'IA', 'ABCDEFGHIJKLMNOP'].join('');
    const pem = ['-----BE', 'GIN RSA PRIVATE KEY-----\nMIIEabc+/=\n-----E', 'ND RSA PRIVATE KEY-----'].join(
      '',
    );
    const { event, removed } = scrubEvent(
      toolUse(
        'Bash',
        {
          command: 'export PGPASSWORD=S3cr3t-XYZ; curl -H "Authorization: Bearer tok-XYZ" https://x',
          description: 'call',
        },
        { stdout: `key ${key}\n${pem}\ndone`, stderr: '' },
      ),
    );
    const text = JSON.stringify(event);
    for (const secret of ['S3cr3t-XYZ', 'tok-XYZ', key, 'MIIEabc']) expect(text).not.toContain(secret);
    for (const kept of ['export PGPASSWORD=', 'https://x', 'done', 'toolu_01AbCdEfGhIjKlMnOpQrStUv'])
      expect(text).toContain(kept);
    expect(removed).toBe(4);
  });

  it('B068: removes a private block from a prompt in any letter case', () => {
    const { event } = scrubEvent({ ...base, kind: 'prompt', text: '<PRIVATE>zeta9</Private> ok' });
    expect(event.text).toBe('ok');
  });

  it('B069: scrubs the closing message and nested input', () => {
    const end = scrubEvent({
      ...base,
      kind: 'turn-end',
      lastAssistantMessage: 'done <private>omega7</private>',
      transcriptPath: '/t',
    });
    const tool = scrubEvent(
      toolUse(
        'Write',
        { a: [{ b: '<private>omega7</private>' }] },
        { x: { y: '<private>omega7' } },
        '<private>omega7',
      ),
    );
    expect(JSON.stringify([end, tool])).not.toContain('omega7');
    expect(end.event.transcriptPath).toBe('/t');
  });

  it.each([
    [{ edits: [{ new: 'a <private>' }, { new: 'omega7' }, { new: 'omega7</private> b' }], path: 'c.ts' }],
    [{ lines: ['+a', '+<private>', '+omega7', '+</private>', '+b'], path: 'c.ts' }],
    [{ lines: ['a <<private>x</private>private> y', 'omega7', 'omega7</private> b'], path: 'c.ts' }],
    [{ lines: ['a <pri\0vate> y', 'omega7</private> b'], path: 'c.ts' }],
    [
      {
        lines: ['a &lt;private&gt; omega7', 'omega7 </private> b <PRIVATE>', 'omega7</private>'],
        path: 'c.ts',
      },
    ],
  ])('B069: removes a private block that spans several strings up to its end: %j', (value) => {
    for (const given of [toolUse('Edit', value, null), toolUse('Edit', {}, value)]) {
      const { event } = scrubEvent(given);
      expect(JSON.stringify(event)).not.toContain('omega7');
      expect(JSON.stringify(event)).toMatch(/a.*b.*c\.ts|a.*c\.ts/);
    }
  });

  it('S07: keeps the first 1,000 items of a list and replaces the others with null', () => {
    const { event } = scrubEvent(
      toolUse(
        'mcp__x__list',
        {},
        Array.from({ length: 1_200 }, () => ({ id: 1 })),
      ),
    );
    const response = event.response as unknown[];
    expect(response.slice(998, 1_002)).toEqual([{ id: 1 }, { id: 1 }, null, null]);
    expect(response).toHaveLength(1_200);
  });

  it('B069: removes only the following text of the same value when a block is never closed', () => {
    const { event } = scrubEvent(toolUse('Edit', { a: 'x <private>', b: ['omega7'] }, { c: 'fine' }));
    expect(event).toMatchObject({ input: { a: 'x', b: [''] }, response: { c: 'fine' } });
  });

  it.each(['private', 'system-reminder'])(
    'adds a note when an unclosed <%s> removed the rest of an output',
    (tag) => {
      const stdout = `5 passing\nrunning <${tag}> omega7\n1 failing`;
      const use = toolUse('Bash', { command: `echo '<${tag}>'\nls` }, { stdout, stderr: '' });
      const { event } = scrubEvent(use);
      expect(event).toMatchObject({ response: { stdout: `5 passing\nrunning\n${CUT_OUTPUT_NOTE}` } });
      expect(JSON.stringify(event)).not.toContain('omega7');
      expect(JSON.stringify(event.input)).not.toContain(CUT_OUTPUT_NOTE);
      expect(scrubEvent(event).event).toEqual(event);
    },
  );

  it('adds no note when every tag of an output is closed', () => {
    const stdout = 'a\n<private>omega7</private>\nb';
    expect(scrubEvent(toolUse('Bash', {}, { stdout })).event).toMatchObject({
      response: { stdout: 'a\n\nb' },
    });
  });

  it('B103: removes a context block of claude-mem from a prompt', () => {
    const { event } = scrubEvent({
      ...base,
      kind: 'prompt',
      text: '<claude-mem-context>TOKEN123</claude-mem-context> fix login',
    });
    expect(event.text).toBe('fix login');
  });

  const content = 'HOST=plain-host-value\nexport MODE="plain mode"\n# comment stays\nPORT: 5432\n';
  const secrets = ['plain-host-value', 'plain mode', '5432'];
  it.each([
    [
      'Read',
      { file_path: '/home/me/app/.env' },
      { type: 'text', file: { filePath: '/home/me/app/.env', content } },
    ],
    ['Read of a copy', { file_path: '/a/.env.production' }, content],
    [
      'Read with line numbers',
      { file_path: '/a/.env.local' },
      content
        .split('\n')
        .map((line, index) => `     ${index + 1}→${line}`)
        .join('\n'),
    ],
    ['Write', { file_path: '.env', content }, { type: 'create', filePath: '.env', content }],
    [
      'Edit',
      { file_path: '/a/credentials', old_string: 'HOST=plain-host-value', new_string: 'PORT=5432' },
      { structuredPatch: [{ lines: ['-HOST=plain-host-value', '+PORT=5432'] }] },
    ],
    [
      'MultiEdit',
      { file_path: '/a/.env', edits: [{ old_string: 'A=plain-host-value', new_string: 'A=5432' }] },
      'ok',
    ],
    ['cat', { command: 'cd app && cat .env' }, { stdout: content, stderr: '' }],
    [
      'grep',
      { command: 'grep -n HOST .env config.ts' },
      { stdout: '.env:3:HOST=plain-host-value', stderr: '' },
    ],
    ['echo', { command: 'echo "HOST=plain-host-value" >> .env' }, { stdout: '' }],
    [
      'a here-document',
      { command: 'cat > .env <<EOF\nHOST=plain-host-value\nPORT=5432\nEOF' },
      { stdout: '' },
    ],
    ['a list of words', { command: ['cat', '/a/.env'] }, { output: content }],
    ['another host', { path: 'conf/secrets.yaml' }, { output: 'host: plain-host-value\nport: 5432' }],
    [
      'JSON',
      { absolute_path: '/a/credentials.json' },
      '{\n  "host": "plain-host-value",\n  "port": "5432"\n}',
    ],
  ])('K23: removes every value of a secret file: %s', (_name, input: JsonValue, response: JsonValue) => {
    const { event, removed } = scrubEvent(toolUse('Tool', input, response));
    const text = JSON.stringify(event);
    for (const secret of secrets) expect(text).not.toContain(secret);
    expect(removed).toBeGreaterThan(0);
    const again = scrubEvent(event);
    expect(again.event).toEqual(event);
  });

  it('K23: removes key material without begin and end lines', () => {
    const line = 'b3BlbnNzaC1rZXktdjEAAAAABG5vbmUAAAAEbm9uZQAAAAAAAAABAAAAMwAAAAtzc2gtZW';
    const { event } = scrubEvent(
      toolUse('Read', { file_path: '/home/me/.ssh/id_ed25519' }, `${line}\n${line}`),
    );
    expect(JSON.stringify(event)).not.toContain(line);
  });

  it.each([
    ['a message', 'git commit -m "drop PORT from .env.example" -- src/port.ts'],
    ['a here-document', 'gh pr create --body "$(cat <<\'EOF\'\n- .env.example lost PORT\nEOF\n)"'],
  ])('keeps the output of a command that only mentions a secret file: %s', (_name, command) => {
    const output = 'url: https://example.org/pull/171';
    const { event } = scrubEvent(toolUse('Bash', { command }, { stdout: output }));
    expect(JSON.stringify((event as ToolUsed).response)).toContain(output);
  });

  it.each([
    ['a here-document that writes it', 'cat > .env <<EOF\nPORT=3000\nEOF\ncat .env'],
    ['one without an end', 'x <<EOF\ncat .env'],
    ['a command in quotes', 'bash -c "cat .env"'],
  ])('removes the output of a command that reads a secret file: %s', (_name, command) => {
    const { event } = scrubEvent(toolUse('Bash', { command }, { stdout: 'PORT: 3000' }));
    expect(JSON.stringify((event as ToolUsed).response)).not.toContain('3000');
  });

  it('keeps the path of a secret file and does not change other files', () => {
    const secret = scrubEvent(toolUse('Read', { file_path: '/a/.env' }, content)).event;
    expect(secret.input).toEqual({ file_path: '/a/.env' });
    expect(secret.response).toContain('HOST=');
    expect(secret.response).toContain('# comment stays');
    const other = toolUse('Read', { file_path: '/a/config.ts' }, 'HOST=plain-host-value\nkey.length');
    expect(scrubEvent(other)).toEqual({ event: other, removed: 0 });
  });

  it('does not change ids and folder paths', () => {
    const event = { ...base, kind: 'session-start', source: 'startup' } as const;
    expect(scrubEvent(event)).toEqual({ event, removed: 0 });
  });
});
