const HOST_BLOCK =
  /<(system-reminder|task-notification|local-command-\w+|command-message|bash-(?:stdout|stderr|input)|ide_\w+|claude-mem-context|user-memory-input)\b[^>]*>[\s\S]*?(?:<\/\1>|$)/gi;

/** Returns the text that the user typed, without the blocks that a host adds. */
export function cleanPrompt(prompt: string): string {
  const text = prompt.slice(0, 40_000);
  const command = /<command-name>([^<]+)<\/command-name>/.exec(text)?.[1]?.trim();
  if (command) {
    const args = /<command-args>([\s\S]*?)<\/command-args>/.exec(text)?.[1]?.trim() ?? '';
    return `/${command.replace(/^\//, '')} ${args}`.trim();
  }
  if (/^This session is being continued from a previous conversation/.test(text.trim())) return '';
  return text
    .replace(HOST_BLOCK, ' ')
    .replace(/\[(?:Image|Pasted text) #\d+[^\]]*\]/g, ' ')
    .trim();
}
