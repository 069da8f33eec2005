import { formatNotes } from '@claude-mem/context-render/mcp';
import { projectNamed } from '@claude-mem/core';
import { defineInput } from '../input/define-input.js';
import { McpError } from '../mcp-error.js';
import { explainNoResults, listNotes, projectField, resolveScope } from './scope.js';
import { defineTool, READS } from './tool.js';

export const getProjectContext = defineTool({
  name: 'get_project_context',
  title: 'Project context',
  description:
    'Returns the context that is injected when a session starts in the project: open steps, pinned records, a list of the newest records. Use it only if the context was not injected, or for another project.',
  input: defineInput({ project: projectField }),
  annotations: READS,
  async run({ project }, context) {
    const scope = await resolveScope(project, context);
    if (scope.project === undefined)
      throw new McpError(
        'mcp/not-found',
        'Set project to the name or folder of one project. To search all projects, use search_memory.',
      );
    const { value: projects } = await context.memory.read((reader) => reader.projects());
    const known = projectNamed(projects, scope.project);
    const answer = known && (await context.memory.read((reader) => reader.context(known)));
    if (!answer?.value.text) throw new McpError('mcp/not-found', await explainNoResults(scope, context));
    return { text: [...formatNotes(listNotes(answer)), answer.value.text].join('\n') };
  },
});
