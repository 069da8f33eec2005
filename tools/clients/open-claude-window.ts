import { execFile } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { isRecord } from '@claude-mem/core';
import { waitFor } from '@claude-mem/testing';
import { API_KEY, claudeEnvironment, type ClaudeOptions } from './start-claude.js';

/** A real Claude Code that runs in a terminal window. */
export interface ClaudeWindow extends AsyncDisposable {
  /** Types a line and presses Enter. */
  type(line: string): Promise<void>;
  press(key: 'Escape'): Promise<void>;
  shows(text: string): Promise<void>;
  /** Ends the program with its exit command and waits for its end. */
  exit(): Promise<void>;
}

const run = promisify(execFile);
const DEADLINE_MS = 60_000;
/** Without a pause, the client treats the line and Enter as pasted text. */
const MOMENT_MS = 400;

export async function openClaudeWindow({
  command,
  home,
  modelUrl,
  args = [],
}: Omit<ClaudeOptions, 'cwd'>): Promise<ClaudeWindow> {
  skipFirstQuestions(path.join(home.home, '.claude.json'), home.project);
  const socket = path.join(home.root, 'window');
  const options = {
    cwd: home.project,
    env: { ...claudeEnvironment({ home, modelUrl }), TERM: 'xterm-256color', LANG: 'C.UTF-8' },
  };
  const tmux = async (...words: readonly string[]) =>
    (await run('tmux', ['-S', socket, '-f', '/dev/null', ...words], options)).stdout;
  await tmux('new-session', '-d', '-x', '160', '-y', '50', ...command, ...args);
  const screen = () => tmux('capture-pane', '-p').catch(() => '');
  const isOpen = () =>
    tmux('has-session').then(
      () => true,
      () => false,
    );
  const shows = async (text: string) => {
    await waitFor(async () => (await screen()).includes(text), {
      what: `the window to show "${text}"`,
      deadlineMs: DEADLINE_MS,
    });
  };
  const type = async (line: string) => {
    await tmux('send-keys', '-l', line);
    await shows(line);
    await new Promise((resolve) => setTimeout(resolve, MOMENT_MS));
    await tmux('send-keys', 'Enter');
  };

  await shows('❯');
  return {
    type,
    shows,
    async press(key) {
      await tmux('send-keys', key);
    },
    async exit() {
      await type('/exit');
      await waitFor(async () => !(await isOpen()), { what: 'the window to close', deadlineMs: DEADLINE_MS });
    },
    async [Symbol.asyncDispose]() {
      await tmux('kill-server').catch(() => undefined);
    },
  };
}

/** Stores the answers to the questions for a new user: theme, key, and trust in the folder. */
function skipFirstQuestions(file: string, project: string): void {
  const known: unknown = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
  const answers = {
    ...(isRecord(known) ? known : {}),
    hasCompletedOnboarding: true,
    theme: 'dark',
    customApiKeyResponses: { approved: [API_KEY.slice(-20)], rejected: [] },
    projects: { [project]: { hasTrustDialogAccepted: true } },
  };
  writeFileSync(file, JSON.stringify(answers));
}
