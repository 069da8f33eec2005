/** Tools that only read, list or organize. Names of Claude Code, Codex, Gemini CLI and OpenCode. */
const EVIDENCE_ONLY: ReadonlySet<string> = new Set([
  'Read',
  'NotebookRead',
  'Glob',
  'Grep',
  'LS',
  'TodoRead',
  'TodoWrite',
  'TaskCreate',
  'TaskUpdate',
  'TaskList',
  'TaskGet',
  'TaskOutput',
  'TaskStop',
  'BashOutput',
  'KillBash',
  'KillShell',
  'AgentOutputTool',
  'EnterPlanMode',
  'Skill',
  'SlashCommand',
  'ToolSearch',
  'ListMcpResourcesTool',
  'ListMcpResources',
  'ReadMcpResourceTool',
  'read_file',
  'read_many_files',
  'list_directory',
  'list_dir',
  'glob',
  'grep',
  'grep_files',
  'search_file_content',
  'read',
  'list',
  'todowrite',
  'todoread',
  'update_plan',
  'write_todos',
  'write_stdin',
  'view_image',
]);

/**
 * Checks for tool uses without a result of their own (reading, listing, searching, to-do lists). The observer reads
 * them as evidence, but creates no record from one alone.
 */
export function isEvidenceOnly(toolUse: { toolName: string }): boolean {
  return EVIDENCE_ONLY.has(toolUse.toolName);
}
