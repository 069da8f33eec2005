import { noteLines } from '@claude-mem/context-render/mcp';
import { projectNamed } from '@claude-mem/core';
import { defineInput } from '../input/define-input.js';
import { McpError } from '../mcp-error.js';
import { nothingFound, notesOf, projectField, scopeOf } from './scope.js';
import { defineTool, READS } from './tool.js';

export const getProjectContext = defineTool({
  name: 'get_project_context',
  title: 'Project context',
  description:
    'What a session that starts in the project is told of earlier ones: where work stands, what is pinned, an index of the newest. Only where that did not come by itself, or for another project.',
  input: defineInput({ project: projectField }),
  annotations: READS,
  async run({ project }, context) {
    const scope = await scopeOf(project, context);
    if (scope.project === undefined)
      throw new McpError(
        'mcp/not-found',
        'Name one project: its name, or its folder. search_memory asks all.',
      );
    const { value: projects } = await context.memory.ask((reader) => reader.projects());
    const known = projectNamed(projects, scope.project);
    const answer = known && (await context.memory.ask((reader) => reader.context(known)));
    if (!answer?.value.text) throw new McpError('mcp/not-found', await nothingFound(scope, context));
    return { text: [...noteLines(notesOf(answer)), answer.value.text].join('\n') };
  },
});
