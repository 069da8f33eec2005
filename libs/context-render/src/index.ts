export {
  renderSessionContext,
  type SessionContext,
  type SessionContextOptions,
} from './render-session-context.js';
export type { LeftOut } from './rank-observations.js';
