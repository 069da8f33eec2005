/**
 * Measures the processor time of this process, which other processes do not lengthen.
 * @returns a function that returns the milliseconds since the call
 */
export function processorTime(): () => number {
  const start = process.cpuUsage();
  return () => {
    const { user, system } = process.cpuUsage(start);
    return (user + system) / 1_000;
  };
}
