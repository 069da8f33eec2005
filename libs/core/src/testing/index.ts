export { createFixedClock, type FixedClock } from './fixed-clock.js';
