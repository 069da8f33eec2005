export {
  dialectOf,
  MODEL_OBSERVERS,
  observerSettings,
  openObserver,
  settingNeededBy,
  whyNotHere,
  type ModelObserver,
  type ObserverHome,
} from './observer-setups.js';
export { plausibleReply } from './plausible-reply.js';
