import { forget } from './forget.js';
import { getObservations } from './get-observations.js';
import { getProjectContext } from './get-project-context.js';
import { getSessionSummary } from './get-session-summary.js';
import { remember } from './remember.js';
import { searchMemory } from './search-memory.js';
import { timeline } from './timeline.js';
import type { Tool } from './tool.js';

export const TOOLS: readonly Tool[] = [
  searchMemory,
  timeline,
  getObservations,
  getSessionSummary,
  getProjectContext,
  remember,
  forget,
];
