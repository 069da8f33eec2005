export { describeHost, type DescribeHostOptions } from './describe-host.js';
export { readHostSamples, type HostSample } from './read-host-samples.js';
