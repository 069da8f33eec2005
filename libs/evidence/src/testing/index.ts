export { HOSTILE_TEXTS } from './hostile-texts.js';
export {
  bash,
  CART_FIX,
  edit,
  failed,
  failedBash,
  PROJECT_ROOT,
  read,
  type ToolUseFields,
} from './tool-uses.js';
