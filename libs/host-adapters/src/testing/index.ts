export { describeHost } from './describe-host.js';
export type { DescribeHostOptions } from './describe-host-options.js';
export { readHostSamples, type HostSample } from './read-host-samples.js';
