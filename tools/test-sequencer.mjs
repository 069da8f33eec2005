import { BaseSequencer } from 'vitest/node';

/**
 * Runs the component tests (.tsx) first. Vitest ends a test process, and loses the modules that it has loaded, when the
 * next file needs another environment.
 */
export class TestSequencer extends BaseSequencer {
  async sort(specifications) {
    const sorted = await super.sort(specifications);
    const isComponentTest = ({ moduleId }) => moduleId.endsWith('.tsx');
    return sorted.toSorted((a, b) => Number(isComponentTest(b)) - Number(isComponentTest(a)));
  }
}
