export {
  dialectOf,
  MODEL_OBSERVERS,
  observerSettings,
  openObserver,
  getRequiredSetting,
  getSkipReason,
  type ModelObserver,
  type ObserverHome,
} from './observer-setups.js';
export { plausibleReply } from './plausible-reply.js';
