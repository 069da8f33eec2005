const SLOWEST_COUNT = 10;

/** Prints the slowest files and one summary line at the end of a Vitest run: "N passed, N failed, N skipped". */
export default class TestReporter {
  onTestRunEnd(modules, unhandledErrors) {
    printSlowest(modules);
    const tests = modules.flatMap((module) => [...module.children.allTests()]);
    const count = (state) => tests.filter((test) => test.result().state === state).length;
    const brokenFiles = modules.filter(
      (module) => module.state() === 'failed' && module.errors().length > 0,
    ).length;
    const failed = count('failed') + brokenFiles + unhandledErrors.length;
    console.log(`\n${count('passed')} passed, ${failed} failed, ${count('skipped')} skipped`);
  }
}

function printSlowest(modules) {
  const secondsOf = (module) => module.diagnostic().duration / 1000;
  const slowest = modules.toSorted((a, b) => secondsOf(b) - secondsOf(a)).slice(0, SLOWEST_COUNT);
  if (slowest.length < SLOWEST_COUNT) return;
  console.log('\nSlowest test files:');
  for (const module of slowest)
    console.log(`${secondsOf(module).toFixed(1).padStart(7)} s  ${module.relativeModuleId}`);
}
